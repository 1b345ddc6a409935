// Owns the vocabulary of camera moves in the languages that are written with Latin letters: English, German, French,
// Spanish, Italian, Portuguese; and the shape of a reading. Words are lower case without accents. grammar.ts reads how
// they combine.

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

/** "camera movement to the left", "movimento de câmera para cima". */
export const movementNoun = /^(movement|motion|mouvement|movimiento|movimento|(kamera)?bewegung)$/

/** The first entry whose word matches speaks for a token. */
const verbs: Verb[] = [
  { word: /^zoom(s|ed|ing|t|en|e|er|end|a|are|ata|ate|ando|ado|ear|ea)?$/, takes: alongZoom, alone: ['zoom', 1] },
  { word: /^((he)?ran|hinein|rein|ein)(zu|ge)?(zoom|fahr)\w*$/, takes: {}, alone: ['zoom', 1] },
  { word: /^(heraus|hinaus|raus|weg|aus|zuruck)(zu|ge)?(zoom|fahr)\w*$/, takes: {}, alone: ['zoom', -1] },
  { word: /^(acercamiento|avvicinamento)$/, takes: {}, alone: ['zoom', 1] },
  { word: /^(alejamiento|allontanamento)$/, takes: {}, alone: ['zoom', -1] },
  {
    word: /^(doll(y|ies|ied|ying)|travell?ings?|(kamera|vorwarts)fahrt|carrellata)$/,
    takes: anywhere,
    alone: ['zoom', 1],
  },
  { word: /^ruckwartsfahrt$/, takes: {}, alone: ['zoom', -1] },
  { word: /^(push(es|ing|ed)?)$/, takes: { in: ['zoom', 1] }, alone: ['zoom', 1], shy: true },
  { word: /^pull(back|out)s?$/, takes: {}, alone: ['zoom', -1] },
  { word: /^(pull(s|ing|ed)?)$/, takes: { out: ['zoom', -1] }, alone: null },
  { word: /^clos(e|es|ing)$/, takes: { in: ['zoom', 1] }, alone: null },
  { word: /^(truck|track)(s|ing|ed)?$/, takes: anywhere, alone: ['pan', 1], shy: true },
  { word: /^linksschwenk$/, takes: {}, alone: ['pan', -1] },
  { word: /^rechtsschwenk$/, takes: {}, alone: ['pan', 1] },
  {
    word: /^(pan(s|ned|ning)?|(kamera)?schwenk(t|en|s|end)?|panoramiques?|panote|pane(o|a|ar|ando)|barrido|panoramica)$/,
    takes: { ...sideways, ...upright, clockwise: ['pan', 1], around: ['pan', 1] },
    alone: ['pan', 1],
    shy: true,
  },
  {
    word: /^(tilt(s|ed|ing)?|neigt|kippt|bascul(e|er|ant|a))$/,
    takes: { ...rolling, ...upright },
    alone: ['tilt', 1],
    shy: true,
  },
  { word: /^(crane|pedestal|boom|jib)(s|d|ed|ing)?$/, takes: upright, alone: ['tilt', 1], shy: true },
  {
    word: /^(orbit(s|ed|ing|e|a|ar|ando|iert|ieren)?|arc(s|ed|ing)?|circl(e|es|ed|ing)|umkreis(t|en|end|ung)|kreis(t|en)|encircl(es|ing))$/,
    takes: orbiting,
    alone: ['orbit', 1],
    shy: true,
  },
  { word: /^(revolv(e|es|ing)|contourne|rodea|circonda|contorna)$/, takes: orbiting, alone: ['orbit', 1], plain: true },
  { word: /^(roll(s|ed|ing|t|en)?|roulis|rollio|alabeo)$/, takes: rolling, alone: ['roll', 1], shy: true },
  { word: /^dutch$/, takes: {}, alone: ['roll', 1], shy: true },
  {
    word: /^(turn(s|ing)?|dreht|tourne(r|nt)?|pivote?s?|gira(r|ndo)?|ruota(re|ndo)?|swing(s|ing)?)$/,
    takes: { ...sideways, ...upright, around: ['orbit', 1], clockwise: ['roll', 1] },
    alone: null,
    plain: true,
  },
  {
    word: /^(rotat(e|es|ed|ing|ion)|spin(s|ning)?|rotiert|rota(ndo)?|rotaciona(ndo)?)$/,
    takes: { ...rolling, around: ['orbit', 1] },
    alone: ['roll', 1],
    plain: true,
  },
  { word: /^(approach(es|ing)?|advanc(es|ing)|tighten(s|ing)|nahert)$/, takes: {}, alone: ['zoom', 1], plain: true },
  {
    word: /^(avance|(r?ap)?proche|rapproche|acerca(ndo)?(se)?|avanza(ndo)?)$/,
    takes: {},
    alone: ['zoom', 1],
    plain: true,
  },
  { word: /^(avvicina(ndo)?(si)?|aproxima(ndo)?|avanca(ndo)?)$/, takes: {}, alone: ['zoom', 1], plain: true },
  {
    word: /^(retreat(s|ing)?|reced(es|ing)|widen(s|ing)|entfernt|recule|eloigne)$/,
    takes: {},
    alone: ['zoom', -1],
    plain: true,
  },
  {
    word: /^(aleja(ndo)?(se)?|retrocede|allontana(ndo)?(si)?|arretra|afasta(ndo)?|recua)$/,
    takes: {},
    alone: ['zoom', -1],
    plain: true,
  },
  {
    word: /^(ris(e|es|ing)|lift(s|ing)?|ascend(s|ing)?|climb(s|ing)?|steigt|hebt|monte|sube|subiendo|sobe|subindo)$/,
    takes: {},
    alone: ['tilt', 1],
    plain: true,
  },
  {
    word: /^(descend(s|ing)?|lower(s|ing)|senkt|sinkt|baja|bajando|scende|desce|descendo)$/,
    takes: {},
    alone: ['tilt', -1],
    plain: true,
  },
  { word: /^whip(s|ping)$/, takes: { ...sideways, ...upright, around: ['pan', 1] }, alone: null, plain: true },
  { word: /^(look|point)(s|ing)?$/, takes: { ...sideways, ...upright, around: ['pan', 1] }, alone: null, plain: true },
  { word: /^get(s|ting)?$/, takes: alongZoom, alone: null, plain: true },
  { word: movementNoun, takes: anywhere, alone: null, plain: true },
  // To fly over something is to fly forward.
  {
    word: /^(fl(y|ies|ying)|soar(s|ing)?|fliegt|vole|vuela|volando|vola|voa|voando)$/,
    takes: { ...anywhere, across: ['zoom', 1] },
    alone: null,
    plain: true,
  },
  {
    word: /^(mov(e|es|ed|ing)|go(es|ing)?|glid(e|es|ing)|float(s|ing)?|drift(s|ing)?|slid(e|es|ing)|sweep(s|ing)?|swoop(s|ing)?|creep(s|ing)?|inch(es|ing)|eas(e|es|ing)|back(s|ing)|draw(s|ing)?|com(e|es|ing)|div(e|es|ing)|plung(e|es|ing)|sway(s|ing)?|travel(s|ing)?|rush(es|ing)?|rac(es|ing)|edg(es|ing)|lean(s|ing)?|shift(s|ing)?|pass(es|ing)?|(snak|weav)(es|ing)|speed(s|ing)?|drop(s|ping)?|snap(s|ping)|jerk(s|ing)?)$/,
    takes: anywhere,
    alone: null,
    plain: true,
  },
  {
    word: /^(fahrt|bewegt|gleitet|geht|kommt|deplace|glisse|va|mueve|moviendo|moviendose|desplaza|desliza|muove|muovendo|sposta|scorre|desloca|movendo|inclina|incline)$/,
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
  in: `in into closer toward towards forward forwards inward inwards through on onto heran hinein rein vorwarts naher hin
    avant adelante adentro dentro avanti frente aproximacao acercamiento avvicinamento vers hacia verso auf em sul sulla`,
  out: `out back backward backwards away outward outwards heraus hinaus raus zuruck ruckwarts weg
    arriere atras fuera afuera indietro fuori tras fora afastamento alejamiento allontanamento`,
  left: 'left leftward leftwards links gauche izquierda sinistra esquerda',
  right: 'right rightward rightwards rechts droite derecha destra direita',
  up: 'up upward upwards oben hoch aufwarts hinauf haut arriba alto cima ascendant ascendente montante',
  down: 'down downward downwards unten runter hinunter abwarts bas abajo basso baixo descendant descendente discendente',
  around: `around round herum rund autour alrededor torno attorno intorno redor volta circulaire circular circolare
    arch arco bogen cercle circulo cerchio semicircle`,
  across: 'across over along sideways uber entlang lateral laterale lateralement lateralmente',
  clockwise: 'clockwise uhrzeigersinn horaire horario orario',
}

export const directions = new Map<string, Direction>(
  Object.entries(directionLists).flatMap(([direction, list]) =>
    set(list, (word): [string, Direction] => [word, direction as Direction]),
  ),
)

/** Words for "in" that only say "to" when a side follows: "towards the left". */
export const softIn = words('toward towards on onto vers hacia verso auf em sul sulla hin')
export const reversers = words('counter anti gegen contre contra')
export const sources = words('from von desde depuis')

export const cameraWords = words(
  'camera cameras cam kamera camara fotocamera telecamera macchina lens objektiv objectif drone steadicam gimbal pov we viewpoint',
)
/** A camera in a person's hands or on a shelf is part of the picture, not the one that takes it. */
export const propWords = words(
  'his her my their old vintage digital film toy security instant holding holds held seine ihre sa su sua con mit',
)
export const goalWords = words('to into at towards toward facing behind vers hacia verso')
export const shotWords = words(
  `shot shots frame framing view scene footage video clip movement motion move angle perspective einstellung aufnahme bild
  kamerabewegung plan plano toma cadre inquadratura ripresa quadro tomada mouvement movimiento movimento`,
)
export const movementWords = words(
  `move moves moving movement movements motion motions kamerabewegung kamerabewegungen bewegung bewegungen bewegt
  mouvement mouvements bouge movimiento movimientos mueve movimento movimenti movimentos muove`,
)
export const stillWords = words(
  `static stationary motionless unmoving immobile fixed statisch statische statischer statisches statischen starr starre
  feste fester feststehende feststehend unbewegt unbewegte statique fixe fija fijo estatica estatico inmovil fissa fisso
  statica statico ferma fixa fixo parada tripod stativ trepied tripode treppiede cavalletto tripe imovel`,
)
export const stillLead = words('stays stay remains remain is holds hold held keeps keep perfectly completely totally')

export const negators = words(
  `no not without never avoid zero neither nor none kein keine keinen keiner keinerlei nicht ohne nie niemals pas sans
  aucun aucune jamais ne ni sin ningun ninguna nunca jamas senza non nessun nessuna nessuno mai sem nao nenhum nenhuma nem`,
)
/** These also follow the verb: "zoomt nicht", "ne zoome pas". */
export const laterNegators = words('not nicht pas never nie jamais')

export const conjunctions = new Map<string, 'and' | 'or' | 'while' | 'but'>([
  ...set('and und et y e ed plus', (word): [string, 'and'] => [word, 'and']),
  ...set('or nor oder noch ou ni nem', (word): [string, 'or'] => [word, 'or']),
  ...set(
    `while whilst as when then before after wahrend dann dabei gleichzeitig anschliessend pendant tandis puis ensuite tout
    mientras luego despues entonces mentre poi quindi enquanto depois entao`,
    (word): [string, 'while'] => [word, 'while'],
  ),
  ...set('but aber sondern mais pero sino ma mas however instead just only nur', (word): [string, 'but'] => [
    word,
    'but',
  ]),
])

const speedLists: [list: string, speed: number, amount: number][] = [
  [
    `slow slowly slower langsam langsame langsamer langsamen langsames lent lente lentement lento lenta lentamente despacio
    devagar gradual gradually gradualmente leisurely creeping progressivement allmahlich piano`,
    0.6,
    1,
  ],
  [
    `tiny micro gentle gently subtle subtly slight slightly soft softly sanft sanfte sanfter leicht leichte leichter doux douce
    doucement leger legere legerement suave suavemente leve levemente dolce dolcemente leggero leggera leggermente sutil`,
    0.75,
    0.6,
  ],
  [
    `fast faster quick quickly rapid rapidly swift swiftly brisk speedy energetic schnell schnelle schneller schnellen
    rapide rapidement vite rapido rapida rapidamente veloce velocemente zugig zugiger`,
    1.5,
    1.1,
  ],
  ['whip whips whipping crash snap sudden suddenly frantic frenetic rasant barrido', 2, 1.3],
  [
    `dramatic dramatically strong strongly extreme intense powerful aggressive sweeping dramatisch dramatische dramatischer
    starker starke dramatique dramatico dramatica fuerte forte`,
    1,
    1.35,
  ],
]
export const paces = new Map(
  speedLists.flatMap(([list, speed, amount]) =>
    set(list, (word): [string, { speed: number; amount: number }] => [word, { speed, amount }]),
  ),
)
export const intensifiers = words('very extremely super ultra really sehr tres muy molto muito extremadamente')

/** Words that may stand before a move at the start of a clause, or between a move and its direction. */
export const fillers = words(
  `a an the its it then and to by of with slowmotion smooth smoothly steady steadily cinematic continuous continuously long short small
  big full half simple single elegant start starts starting begin begins beginning first next finally end ends ending let make
  do use add please diagonal diagonally speed pace handheld shaky shot scene video one camera very while as bit little further more slowly over again now we there be s
  der die das den dem ein eine einer einen dann und sich nach zur zum von mit noch weiter ganz etwas
  le la les l un une des du de d et puis se vers par avec tres
  el los las una y luego hacia se con muy mas lo
  il lo gli uno e poi si verso di da in con molto piu
  o os as um uma e depois para por pela pelo com muito mais ao do da no na a 360 180 90 degree degrees grad degres grados gradi graus`,
)

export function isFiller(token: string): boolean {
  return fillers.has(token) || paces.has(token) || intensifiers.has(token)
}

/** What may stand between "camera" and an everyday verb that says how it moves. */
export const auxiliaries = words(
  `is are will should must can does did has been being that which continues keeps gets starts softly always also
  soll wird kann qui va doit que est esta estan debe che sta deve ira work shot lens operator pov drone view`,
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

export function words(list: string): Set<string> {
  return new Set(list.split(/\s+/))
}

function set<T>(list: string, make: (word: string) => T): T[] {
  return [...words(list)].map(make)
}
