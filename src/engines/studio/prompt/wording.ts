// Rewrites shorthand and misspelt camera words of English prompts, so that the grammar reads them as if they were written in
// full: "zom in then out" as "zoom in, then zoom out". Text without such words stays as it is.

/** Misspellings that are no words of their own, also not in the other languages of the grammar. */
const misspelt: [RegExp, string][] = [
  [/\b(zom|zzoom|zoo{2,}m|zoon|zomm|zoomm)(s|ing)?\b(?= (in|out|on|to|into)\b)/gi, 'zoom$2'],
  [/\b(zoom(?:s|ing)?|push(?:es)?|dolly) inn\b/gi, '$1 in'],
  [/\b(camra|camrea|cmaera|cameara|camerra|camear|cammera)\b/gi, 'camera'],
  [/\bpaning\b/gi, 'panning'],
  [/\b(tilt(?:s|ing)?|pan(?:s|ning)?|crane|mov(?:e|es|ing)) upp\b/gi, '$1 up'],
  [/\b(rigth|rihgt|rght)\b/gi, 'right'],
  [/\b(lfet|lefft)\b/gi, 'left'],
  [/\b(slowy|slowley|slowely|slolwy|slwoly|sloly|slowlly|slowily)\b/gi, 'slowly'],
  [/\b(obrit|orbitt|orbt)\b/gi, 'orbit'],
  [/\b(doly|dollly|doolly)\b/gi, 'dolly'],
  [/\b(roate|rotae|rotat|rottate)\b/gi, 'rotate'],
  [/\b(clockwize|clokwise|clockwice|clock[- ]wise)\b/gi, 'clockwise'],
  [/\b(foward|forwad|foreward|forwrd)s?\b/gi, 'forward'],
  [/\b(backwords|bakwards?|backwad)\b/gi, 'backward'],
]

const low = 'bottom|lower|ground|floor|feet|shoes|street'
const high = 'top|upper|sky|ceiling|stars|face|head|rooftops'
const place = `(?:the |her |his |its )?(?:very )?((?:(?:bottom|lower|top|upper)[- ]?)?(?:left|right)|${low}|${high})(?: (?:corner|side|edge))?`
const fromTo = new RegExp(
  `\\bfrom ${place}(?: of the \\w+)? (?:up |down |over |across |all the way )*to ${place}\\b`,
  'gi',
)
/** "Start on the left and move to the right". */
const startTo = new RegExp(
  `\\b(?:start|begin)(?:s|ning|ing)? (?:on|at|from|in) ${place},?(?: and then| then| and)?(?: slowly| gently)? (?:mov|pan|end|travel|slid|glid|finish)\\w*(?: slowly)? (?:to|at|on|towards?) ${place}\\b`,
  'gi',
)

const adverb = '(?: slowly| gently| smoothly| slightly| quickly| diagonally)?'
const way = '(in|out|left|right|up|down|upwards?|downwards?)'
const toWay = `${adverb}(?: back)?(?: (?:to|towards?) the)? ${way}`
const verb =
  '(?:zoom|pan|tilt|push|dolly|truck|track|slide|glide|drift|move|orbit|crane|rotate|sway|look)s?|(?:zoom|pann|tilt|push|dolly|truck|track|slid|glid|drift|mov|orbit|rotat|sway)ing'
/** "Zooms in and out", "pan left then right", "moves up and to the left". */
const twoWays = new RegExp(
  `\\b(${verb})${toWay}${adverb},?( and then| then| and)${toWay}\\b(?! (?:corner|side|part|half|edge|third)\\b)`,
  'gi',
)
const opposites = new Set(['in out', 'out in', 'left right', 'right left', 'up down', 'down up'])

/** A prompt with its camera words spelt out. */
export function spellOut(prompt: string): string {
  const text = misspelt.reduce((text, [pattern, right]) => text.replace(pattern, right), prompt)
  return (
    text
      .replace(startTo, (whole, from: string, to: string) => {
        const ways = waysBetween(from, to)
        return ways ? `pan ${ways}` : whole
      })
      .replace(fromTo, (whole, from: string, to: string) => waysBetween(from, to) || whole)
      // A picture that turns one way is seen by a camera that turns the other way.
      .replace(
        /\b(?:rotate|spin|turn) (?:the )?(?:image|picture|photo|frame)( slowly)? (counter|anti)?-?clockwise\b/gi,
        (_, slowly = '', against?: string) => `roll camera${slowly} ${against ? '' : 'counter '}clockwise`,
      )
      .replace(/\b(camera\b[^,.;]{0,30}?) (?:from )?side to side\b/gi, '$1 left and right')
      .replace(
        /\b(?:(?:reveal|scan|scroll)(?:s|ing)?|panorama(?: shot)?|panoramic (?:sweep|shot|view))((?: slowly| gently)? (?:up|down|left|right))\b/gi,
        'pan$1',
      )
      .replace(/\b(pan(?:s|ning)?)( \w+ly)? to the (?!left|right)\w+ (?:on|at) the (left|right)\b/gi, '$1$2 to the $3')
      .replace(/\b(?:track|follow)(?:s|ing)? (?:the |a |her |his )?\w+ (?:to the )?(left|right)\b/gi, 'truck $1')
      .replace(twoWays, (whole, verb: string, first: string, joint: string, second: string) => {
        const [one, other] = [first, second].map((own) => own.toLowerCase().replace(/wards?$/, ''))
        if (one === other) return whole
        const slowly = /\b(slow|gent)ly\b/i.test(whole) ? ' slowly' : ''
        const after = /then/i.test(joint) || opposites.has(`${one} ${other}`)
        return `${verb}${slowly} ${one}${after ? ', then' : ' and'} ${verb}${slowly} ${other}`
      })
  )
}

const [isLow, isHigh] = [new RegExp(low, 'i'), new RegExp(high, 'i')]

/** The way from one place of the picture to another, such as "up and right"; empty where they are not apart. */
function waysBetween(from: string, to: string): string {
  const [a, b] = [from, to].map((text) => ({
    x: Number(/right/i.test(text)) - Number(/left/i.test(text)),
    y: Number(isLow.test(text)) - Number(isHigh.test(text)),
  })) as [{ x: number; y: number }, { x: number; y: number }]
  const across = b.x < a.x ? 'left' : b.x > a.x ? 'right' : ''
  const along = b.y < a.y ? 'up' : b.y > a.y ? 'down' : ''
  return [along, across].filter(Boolean).join(' and ')
}
