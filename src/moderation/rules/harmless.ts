// The whitelist: phrases and dictionary words that look bad and are not. Data and one pure function.
// The rules that do forbid things are in hard-rules-*.ts and dictionary.ts.

/** Taken out of a prompt before any rule reads it. What is left over is judged as usual. */
const phrases: string[] = [
  // naked, nude, bare
  'naked (?:eye|truth|flame|flames|mole[ -]rats?|cakes?|ladies|gun|chef|singularity|bulbs?|lunch|neck chickens?)',
  'nude (?:lipsticks?|heels?|pumps|palettes?|tones?|colou?rs?|shades?|nails?|make-?up|dress)',
  '(?:stand|stands|standing) naked against',
  // "baby" and "kid" that are not children
  'naked baby (?:birds?|mice|mouse|rats?|animals?)',
  'baby (?:oil|blue|pink|grand|powder|showers?|boomers?|carrots?|spinach)',
  '(?:goat kids?|kid goats?|kid gloves)',
  // minor
  '[a-g](?:[ -](?:sharp|flat))? minor',
  'minor (?:chords?|keys?|scales?|leagues?|roles?|details?|changes?|characters?|planets?|injur(?:y|ies)|third)',
  // sex
  'sex (?:education|ed|discrimination|pistols|and the city|chromosomes?|reveal)',
  '(?:same|opposite|fair|either|both)[ -]sex(?:es)?',
  'sex of the (?:baby|chicks?|animals?)',
  // plants and places
  'rape ?seeds?',
  'oil ?seed rape',
  'rape (?:fields?|flowers?|blossoms?|oil|plants?|crops?)',
  'pussy[ -]?(?:willows?|cats?|foot(?:ing)?|riot)',
  '(?:rio|river|monte|mar|cerro|bosque|pico) negro',
  'negro (?:river|spirituals?|leagues?)',
  // birds and beasts
  '(?:great|blue|coal|marsh|willow|crested|long-tailed|bearded) tits?',
  'maine coons?',
  '(?:cocks?|cockerels?) (?:crows?|crowing|crowed|fights?|pheasants?)',
  '(?:weather|wood|pea|black|game|turkey|shuttle|stop|ball) ?cocks?',
  '(?:wild|jack|she|old|poor|an) ass(?:es)?(?= (?:in the|carries|carrying|brays?|foals?|grazes?|of the desert))',
  'bitch(?:es)? and (?:her|their) (?:puppies|pups|litter)',
  // names and dishes
  '(?:moby|spotted) dick',
  'dick (?:van dyke|tracy|cheney|turpin|whittington|clark|francis)',
  'philip k\\.? dick',
  'faggots? (?:and peas|in gravy|of (?:wood|sticks))',
  '(?:bundles?|bundle) of faggots',
  'spic and span',
  // bath bombs, weed killers
  '(?:bath|seed|glitter|photo|cherry|chocolate|cocoa|paint|colou?r|water|snow|stink|time|love|fizz|calorie|truth|logic) ?bombs?',
  'bombs? (?:disposal|squad|shelters?|cyclones?)',
  // stage, screen and help
  'hot dogs?|corn dogs?|paper guns?|(?:water|glue|nail|heat|rubber band|toy|squirt) guns?',
  'suicide (?:squad|prevention|awareness|hotline|helpline|doors?|lakes?)',
  'torture (?:tests?|testing)',
  'tortured (?:artists?|poets?|genius|soul|souls|metal)',
  'white power (?:cables?|cords?|supply|supplies|adapters?|strips?|banks?|tools?|outlets?|switch(?:es)?|button)',
  'undressed (?:salad|leaves|stone|timber|wood)',
  'stripp(?:ing|er) (?:paint|wallpaper|varnish|wells?)',
  '(?:paint|wallpaper|varnish|wire|floor|cable) stripp(?:ing|ers?)',
]

const phrasePattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'giu')

/** Replaces a harmless phrase by a non-letter, so that the words around it are not joined. */
export const withoutHarmlessPhrases = (text: string): string => text.replace(phrasePattern, '~')

/**
 * Dictionary words with an everyday, medical or place-name meaning too frequent to refuse a video for. Those of them
 * that matter near other words ("nude", "rape", "topless") are judged by the hard rules.
 */
export const harmlessWords: readonly string[] = `
  anus ass bareback barenaked bastard bastardo birdlock bollocks boob busty butt coon coons cornhole dingleberry
  dingleberries dolcett domination dommes dvda escort eunuch fecal figging fingering genitals grope hardcore
  honkey hooker intercourse juggs kinky knobbing lolita negro nipple nipples nude nudity octopussy panty pegging
  penis playboy poof poon quim rape raping rapist rectum rimming sadism santorum scat scissoring semen sex sexo
  sexy shrimping skeet snatch snowballing spic spunk suck sucks swastika swinger throating tit topless tosser
  twinkie undressing vagina voyeur xx a55
`
  .trim()
  .split(/\s+/)
