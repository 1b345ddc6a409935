// Owns the verbs and directions of the camera, in English, which all languages are read as; and the shape of a reading.
// grammar.ts reads how they combine.

export type Axis = 'zoom' | 'pan' | 'tilt' | 'orbit' | 'roll'
export type Direction = 'in' | 'out' | 'left' | 'right' | 'up' | 'down' | 'around' | 'across' | 'clockwise'
export type Step = [axis: Axis, sign: 1 | -1]

/** One thing read in a text. `sign` 0 means both ways of the axis. */
export interface Reading {
  axis: Axis | 'handheld' | 'still'
  sign: -1 | 0 | 1
  amount: number
  speed: number | null
  negated: boolean
  /** No direction is named: one that is counts instead. */
  assumed?: true
  /** Of stillness: as on a tripod. */
  locked?: boolean
  /** The token that it was read at. */
  at?: number
}

export interface Verb {
  word: RegExp
  takes: { [direction in Direction]?: Step }
  /** What the word means with no direction beside it; null when it then means nothing. */
  alone: Step | null
  /** Everyday words ("moves", "rises") count only where the camera is what moves. */
  plain?: true
  /** Words with a common other meaning: alone, at the start of a clause, they are no move. */
  shy?: true
}

const alongZoom = { in: ['zoom', 1], out: ['zoom', -1] } satisfies Verb['takes']
const sideways = { left: ['pan', -1], right: ['pan', 1], across: ['pan', 1] } satisfies Verb['takes']
const upright = { up: ['tilt', 1], down: ['tilt', -1] } satisfies Verb['takes']
const circling = { left: ['orbit', -1], right: ['orbit', 1], around: ['orbit', 1] } satisfies Verb['takes']
// Seen from above, a camera that circles clockwise goes to its own left.
const orbiting = { ...circling, clockwise: ['orbit', -1] } satisfies Verb['takes']
const rolling = { left: ['roll', -1], right: ['roll', 1], clockwise: ['roll', 1] } satisfies Verb['takes']
const anywhere = { ...alongZoom, ...sideways, ...upright, around: ['orbit', 1] } satisfies Verb['takes']

/** "camera movement to the left". */
export const movementNoun = /^(movement|motion)$/

/** The first entry whose word matches speaks for a word. */
const verbs: Verb[] = [
  { word: /^zoom(s|ed|ing)?$/, takes: alongZoom, alone: ['zoom', 1] },
  { word: /^(doll(y|ies|ied|ying)|travell?ings?)$/, takes: anywhere, alone: ['zoom', 1] },
  { word: /^(push(es|ing|ed)?)$/, takes: { in: ['zoom', 1] }, alone: ['zoom', 1], shy: true },
  { word: /^pull(back|out)s?$/, takes: {}, alone: ['zoom', -1] },
  { word: /^(pull(s|ing|ed)?)$/, takes: { out: ['zoom', -1], up: ['tilt', 1] }, alone: null },
  { word: /^clos(e|es|ing)$/, takes: { in: ['zoom', 1] }, alone: null },
  { word: /^(truck|track)(s|ing|ed)?$/, takes: anywhere, alone: ['pan', 1], shy: true },
  {
    word: /^(pan(s|ned|ning)?)$/,
    takes: { ...sideways, ...upright, clockwise: ['pan', 1], around: ['pan', 1] },
    alone: ['pan', 1],
    shy: true,
  },
  { word: /^tilt(s|ed|ing)?$/, takes: { ...rolling, ...upright }, alone: ['tilt', 1], shy: true },
  { word: /^(crane|pedestal|boom|jib)(s|d|ed|ing)?$/, takes: upright, alone: ['tilt', 1], shy: true },
  {
    word: /^(orbit(s|ed|ing)?|arc(s|ed|ing)?|(en)?circl(e|es|ed|ing))$/,
    takes: orbiting,
    alone: ['orbit', 1],
    shy: true,
  },
  { word: /^revolv(e|es|ing)$/, takes: orbiting, alone: ['orbit', 1], plain: true },
  { word: /^roll(s|ed|ing)?$/, takes: rolling, alone: ['roll', 1], shy: true },
  { word: /^dutch$/, takes: {}, alone: ['roll', 1], shy: true },
  {
    word: /^(turn(s|ing)?|swing(s|ing)?)$/,
    takes: { ...sideways, ...upright, around: ['orbit', 1], clockwise: ['roll', 1] },
    alone: null,
    plain: true,
  },
  {
    word: /^(rotat(e|es|ed|ing|ion)|spin(s|ning)?)$/,
    takes: { ...rolling, around: ['orbit', 1] },
    alone: ['roll', 1],
    plain: true,
  },
  { word: /^(approach(es|ing)?|advanc(es|ing)|tighten(s|ing))$/, takes: {}, alone: ['zoom', 1], plain: true },
  { word: /^(retreat(s|ing)?|reced(es|ing)|widen(s|ing))$/, takes: {}, alone: ['zoom', -1], plain: true },
  { word: /^(ris(e|es|ing)|lift(s|ing)?|ascend(s|ing)?|climb(s|ing)?)$/, takes: {}, alone: ['tilt', 1], plain: true },
  { word: /^(descend(s|ing)?|lower(s|ing))$/, takes: {}, alone: ['tilt', -1], plain: true },
  { word: /^whip(s|ping)$/, takes: { ...sideways, ...upright, around: ['pan', 1] }, alone: null, plain: true },
  { word: /^(look|point)(s|ing)?$/, takes: { ...sideways, ...upright, around: ['pan', 1] }, alone: null, plain: true },
  { word: /^get(s|ting)?$/, takes: alongZoom, alone: null, plain: true },
  { word: movementNoun, takes: anywhere, alone: null, plain: true },
  // To fly over something is to fly forward.
  {
    word: /^(fl(y|ies|ying)|soar(s|ing)?|glid(e|es|ing)|float(s|ing)?)$/,
    takes: { ...anywhere, across: ['zoom', 1] },
    alone: null,
    plain: true,
  },
  {
    word: /^(mov(e|es|ed|ing)|go(es|ing)?|drift(s|ing)?|slid(e|es|ing)|sweep(s|ing)?|swoop(s|ing)?|creep(s|ing)?|inch(es|ing)|eas(e|es|ing)|back(s|ing)|draw(s|ing)?|com(e|es|ing)|div(e|es|ing)|plung(e|es|ing)|sway(s|ing)?|travel(s|ing)?|rush(es|ing)?|rac(es|ing)|edg(es|ing)|lean(s|ing)?|shift(s|ing)?|pass(es|ing)?|(snak|weav)(es|ing)|speed(s|ing)?|drop(s|ping)?|snap(s|ping)|jerk(s|ing)?)$/,
    takes: anywhere,
    alone: null,
    plain: true,
  },
]

/** Most words are no verb of the camera, which one pattern tells faster than one for each verb. */
const anyVerb = new RegExp(verbs.map(({ word }) => word.source).join('|'))

export function verbOf(token: string): Verb | undefined {
  return anyVerb.test(token) ? verbs.find((verb) => verb.word.test(token)) : undefined
}

/** Everyday verbs that, at the start of a sentence, tell the camera what to do. */
export const orders =
  /^((mov|glid|slid|com|eas|ris|revolv)(e|ing)|(drift|float|fly|soar|sweep|creep|back|swing|ascend|descend)(ing)?|go|look|turn|get)$/
/** Turning, which alone or with its direction is for the camera. */
export const turns = /^(rotat(e|ing|ion)|spin(ning)?)$/

const directionLists: { [direction in Direction]: string } = {
  in: 'in into closer toward towards forward forwards inward inwards through on onto between among',
  out: 'out back backward backwards away outward outwards',
  left: 'left leftward leftwards',
  right: 'right rightward rightwards',
  up: 'up upward upwards',
  down: 'down downward downwards',
  around: 'around round circular semicircle',
  across: 'across over along sideways lateral',
  clockwise: 'clockwise',
}

export const directions = new Map<string, Direction>(
  Object.entries(directionLists).flatMap(([direction, list]) =>
    set(list, (word): [string, Direction] => [word, direction as Direction]),
  ),
)

/** Words for "in" that only say "to" when a side follows: "towards the left". */
export const softIn = words('toward towards on onto')
export const reversers = words('counter anti')
export const sources = words('from')

export const cameraWords = words('camera cameras cam lens drone steadicam gimbal pov we viewpoint')
/** A camera in a person's hands or on a shelf is part of the picture, not the one that takes it. */
export const propWords = words('his her my their old vintage digital film toy security instant holding holds held with')
export const goalWords = words('to into at towards toward facing behind')
export const shotWords = words(
  'shot shots frame framing view scene footage video clip movement motion move angle perspective hyperlapse timelapse lapse',
)
export const movementWords = words('move moves moving movement movements motion motions')
export const stillWords = words('static stationary motionless unmoving immobile fixed tripod')
export const stillLead = words('stays stay remains remain is holds hold held keeps keep perfectly completely totally')

export const negators = words('no not without never avoid zero neither nor none')
/** These also follow the verb: "zoom not". */
export const laterNegators = words('not never nope')

const speedLists: [list: string, speed: number, amount: number][] = [
  ['slow slowly slower gradual gradually leisurely creeping', 0.6, 1],
  ['tiny micro gentle gently subtle subtly slight slightly soft softly', 0.75, 0.6],
  ['fast faster quick quickly rapid rapidly swift swiftly brisk speedy energetic hyperspeed', 1.5, 1.1],
  ['whip whips whipping crash snap sudden suddenly frantic frenetic', 2, 1.3],
  ['dramatic dramatically strong strongly extreme intense powerful aggressive sweeping', 1, 1.35],
]
export const paces = new Map(
  speedLists.flatMap(([list, speed, amount]) =>
    set(list, (word): [string, { speed: number; amount: number }] => [word, { speed, amount }]),
  ),
)
export const intensifiers = words('very extremely super ultra really')

/** Words that may stand before a move at the start of a clause, or between a move and its direction. */
export const fillers = words(
  `a an the its it then and to by of with smooth smoothly steady steadily cinematic continuous continuously long short small
  big full half simple single elegant start starts starting begin begins beginning first next finally end ends ending let make
  do use add please diagonal diagonally speed pace handheld shaky shot scene video one camera very while as bit little further more
  over again now we there be s 360 180 90 degree degrees`,
)

export function isFiller(token: string): boolean {
  return fillers.has(token) || paces.has(token) || intensifiers.has(token)
}

/** What may stand between "camera" and an everyday verb that says how it moves. */
export const auxiliaries = words(
  `is are will should must can does did has been being that which continues keeps gets starts softly always also work shot lens
  operator pov drone view`,
)

export const kitchenBefore = words(
  `frying sauce saucepan baking iron hot roasting bread sheet peter copper steel stick nonstick cake drip dust cooking el
  sizzling skillet grill pizza brownie loaf muffin greased oiled metal`,
)
export const nounBefore = words('the in on of his her a an this that into from')
export const kitchenAfter = words(
  'flute flutes pizza fried sauce seared of with asian american pipe pipes roasted and full',
)
/** "zoom call", "crane operator", "roll cake": the next word shows that the word is a thing. */
export const thingAfter = words(
  `call calls meeting meetings lens lenses class background operator bird birds fan console cake cakes sushi film paper
  top model box bike bag suit chair van trucks station satellites satellite planets planet debris hills stones level levels`,
)

/** Stands for a run of letters of no known word, in a script that has no spaces. */
export const unknownLetters = '…'

export function isSmallWord(word: string): boolean {
  return fillers.has(word) || negators.has(word)
}

/** Whether a word is one of the camera's. */
export function isCameraWord(word: string): boolean {
  const lists = [cameraWords, shotWords, stillWords, negators, paces, fillers, directions]
  return lists.some((list) => list.has(word)) || verbOf(word) !== undefined
}

export function words(list: string): Set<string> {
  return new Set(list.split(/\s+/))
}

function set<T>(list: string, make: (word: string) => T): T[] {
  return [...words(list)].map(make)
}
