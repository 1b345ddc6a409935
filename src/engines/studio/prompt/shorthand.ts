// Rewrites shorthand, jargon and misspelt camera words of English prompts, so that the grammar reads them as if they were
// written in full: "zom in then out" as "zoom in, then zoom out". Text without such words stays as it is.

import { type Rewrite, rewrite, spaces, type Written } from './text.ts'

/** Misspellings that are no words of their own, also not in the other languages of the grammar. */
const misspelt = {
  camera: 'camra camrea cmaera cameara camerra camear cammera',
  movement: 'movment movemnt movemet',
  panning: 'paning',
  right: 'rigth rihgt rght',
  left: 'lfet lefft',
  slowly: 'slowy slowley slowely slolwy slwoly sloly slowlly slowily',
  orbit: 'obrit orbitt orbt',
  dolly: 'doly dollly doolly',
  rotate: 'roate rotae rotat rottate',
  clockwise: 'clockwize clokwise clockwice',
  forward: 'foward fowards forwad forwads foreward forewards forwrd forwrds',
  backward: 'backwords bakward bakwards backwad',
  'zoom in': 'zoomin',
  'zoom out': 'zoomout',
}
const spelling = new Map(
  Object.entries(misspelt).flatMap(([right, list]) => list.split(' ').map((wrong): [string, string] => [wrong, right])),
)

const low = 'bottom|lower|ground|floor|feet|shoes|street'
const high = 'top|upper|sky|ceiling|stars|face|head|rooftops'
const place = `(?:the |her |his |its )?(?:very )?((?:(?:bottom|lower|top|upper)[- ]?)?(?:left|right)|${low}|${high})(?: (?:corner|side|edge))?`
const adverb = '(?: slowly| gently| smoothly| slightly| quickly| diagonally)?'
const way = '(in|out|left|right|up|down|upwards?|downwards?)'
const toWay = `${adverb}(?: back)?(?: (?:to|towards?) the)? ${way}`
const verb =
  '(?:zoom|pan|tilt|push|dolly|truck|track|slide|glide|drift|move|orbit|crane|rotate|sway|look)s?|(?:zoom|pann|tilt|push|dolly|truck|track|slid|glid|drift|mov|orbit|rotat|sway)ing'

/** What people write, and how the grammar would like to read it. */
const phrases: Rewrite[] = [
  [/\b(zom|zzoom|zoo{2,}m|zoon|zomm|zoomm)(s|ing)?\b(?= (in|out|on|to|into)\b)/gi, 'zoom$2'],
  [/\b(zoom(?:s|ing)?|push(?:es)?|dolly) inn\b/gi, '$1 in'],
  [/\b(?:pann|tild)(?= (?:left|right|up|down|to)\b)/gi, (whole) => (/^p/i.test(whole) ? 'pan' : 'tilt')],
  [/\b(tilt(?:s|ing)?|pan(?:s|ning)?|crane|mov(?:e|es|ing)) upp\b/gi, '$1 up'],
  [/\bclock[- ]wise\b/gi, 'clockwise'],
  [/\bcrab(?:s|bing)?(?: shot)?(?= (?:to the )?(?:left|right)\b(?! (?:in|on|at|by|of)\b))/gi, 'truck'],
  [/\bslider shot\b/gi, 'tracking shot'],
  [/\b(?:tracking |steadicam |gimbal )?shot (?:follow|trail)(?:s|ing)\b/gi, 'camera follows'],
  [/\bb ?\/ ?w\b/gi, 'black and white'],
  [
    /\b(?:(?:rotat(?:es?|ing)|spin(?:s|ning)?|turn(?:s|ing)?|mov(?:es?|ing)|go(?:es|ing)?) )?360 ?(?:°|degrees?|deg|grad)?[- ]*(?:rotation|spin|turn|orbit|shot|(?=around|um |autour|alrededor|attorno))/gi,
    '360 orbit shot ',
  ],
  [/\bhand[- ]held\b/gi, 'handheld'],
  [/\b(?:instead of|rather than)\b/gi, 'no'],
  [/\bnot (?:too|so|very) (?:fast|quick|quickly|rapid)\b/gi, 'slow'],
  [/\b(?:never|not|without) stop(?:s|ping)?\b/gi, 'keeps'],
  // "Camera movement: none".
  [
    /\b(movement|motion|(?:kamera)?bewegung|mouvement|movimiento|movimento)s? ?: ?(?:none|no|keine|aucun|ningun[oa]?|nessuno|nenhum)\b/gi,
    'no $1',
  ],
  [/\bzoom[- ]in ?\/ ?zoom[- ]out\b/gi, 'zoom in, then zoom out'],
  [/^\s*(slowly )?(?:back|step|stepping) (?:away|back)\b/gi, '$1move back'],
  [
    /\b(dolly|tracking|trucking) shot,? (?:mov|glid|slid|travell?)ing(?= (?:\w+ly )?(?:from|to|left|right|for|back|up|down)\w*\b)/gi,
    '$1 shot',
  ],
  [/\b(?:half|quarter|full)[- ](orbit|arc|circle)\b(?=$|[,.;]| (?:around|to the|left|right)\b)/gi, '$1 shot'],
  [/\b360[- °]*(?:degrees?|deg)?[- ]pan\b/gi, '360 pan shot'],
  [/\b(?:infinite|endless|warp|google earth) zoom\b(?! (?:in|out)\b)/gi, 'zoom in'],
  [/\breverse (?:zoom|dolly)\b/gi, 'zoom out'],
  [/\b(in|out|left|right|up|down)\/(?=(?:in|out|left|right|up|down)\b)/gi, '$1 and '],
  [/\bpunch(?:es|ing)?[- ]in on\b/gi, 'zoom in on'],
  [/\bpull(s|ing)? (?:up and (?:away|back|out)|(?:away|back|out) and up)\b/gi, 'pull$1 back and crane up'],
  // "Start on the left and move to the right".
  [
    new RegExp(
      `\\b(?:start|begin)(?:s|ning|ing)? (?:on|at|from|in) ${place},?(?: and then| then| and)?(?: slowly| gently)? (?:mov|pan|end|travel|slid|glid|finish)\\w*(?: slowly)? (?:to|at|on|towards?) ${place}\\b`,
      'gi',
    ),
    (whole, from, to) => (waysBetween(from!, to!) ? `pan ${waysBetween(from!, to!)}` : whole),
  ],
  [
    new RegExp(`\\bfrom ${place}(?: of the \\w+)? (?:up |down |over |across |all the way )*to ${place}\\b`, 'gi'),
    (whole, from, to) => waysBetween(from!, to!) || whole,
  ],
  // A picture that turns one way is seen by a camera that turns the other way. "Rotate clockwise" alone turns the picture.
  [
    /(?:\b(?:rotate|spin|turn) (?:the )?(?:image|picture|photo|frame)|^(?:slowly |gently )?(?:rotate|spin))( slowly| gently)? (counter|anti)?-?clockwise\b/gi,
    (_, slowly = '', against) => `roll camera${slowly} ${against ? '' : 'counter '}clockwise`,
  ],
  [/\b(camera\b[^,.;]{0,30}?) (?:from )?side to side\b/gi, '$1 left and right'],
  [
    /\b(?:(?:reveal|scan|scroll)(?:s|ing)?|panorama(?: shot)?|panoramic (?:sweep|shot|view))((?: slowly| gently)? (?:up|down|left|right))\b/gi,
    'pan$1',
  ],
  [/\b(pan(?:s|ning)?)( \w+ly)? to the (?!left|right)\w+ (?:on|at) the (left|right)\b/gi, '$1$2 to the $3'],
  [/\b(?:track|follow)(?:s|ing)? (?:the |a |her |his )?\w+ (?:to the )?(left|right)\b/gi, 'truck $1'],
  // "He walks left, the camera pans with him".
  [
    /\b(left|right)\b([^.;]{0,20}\bcamera (?:slowly )?(?:pan|track|truck|move|follow)s)(?: along)? with (?:him|her|it|them)\b/gi,
    '$1$2 $1',
  ],
  [/\b(counter|anti)-?(?=clockwise|horaire|horario|orario)/gi, '$1 '],
  // "Zooms in and out", "pan left then right", "moves up and to the left", "zoom in and zoom out".
  [
    new RegExp(
      `\\b(${verb})${toWay}${adverb}(?:,?( and then| then| and)(?: \\1)?|,? \\1)${toWay}\\b(?! (?:corner|side|part|half|edge|third)\\b)`,
      'gi',
    ),
    twoWays,
  ],
]

/** A prompt with its camera words spelt out. */
export function spellOut(prompt: Written): Written {
  const misspelled: Rewrite = [/\b[a-z]+\b/gi, (word) => spelling.get(word.toLowerCase()) ?? word]
  return rewrite(prompt, [...spaces, misspelled, ...phrases])
}

const opposites = new Set(['in out', 'out in', 'left right', 'right left', 'up down', 'down up'])

function twoWays(whole: string, verb = '', first = '', joint = '', second = ''): string {
  const [one, other] = [first, second].map((own) => own.toLowerCase().replace(/wards?$/, ''))
  if (one === other) return whole
  const slowly = /\b(slow|gent)ly\b/i.test(whole) ? ' slowly' : ''
  const after = /then/i.test(joint) || opposites.has(`${one} ${other}`)
  return `${verb}${slowly} ${one}${after ? ', then' : ' and'} ${verb}${slowly} ${other}`
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
