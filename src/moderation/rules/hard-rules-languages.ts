// The gravest hard rules in Spanish, Portuguese, French, Italian, German, Russian, Chinese and Japanese.
// Far from complete: a first net for what must never pass. Accents are folded away on both sides.
import { characters, either, has, near, type Pattern, type Rule, words } from './rule-parts.ts'

/** `[minors, sexual words]` of one language; both within a few words of each other are refused. */
const minorsAndSex: [Pattern, Pattern][] = [
  // Spanish and Portuguese
  [
    'niñ[oa]s?|menores|menor de edad|crianças?|menin[oa]s?|bebés?|colegialas?|adolescentes?',
    'desnud[oa]s?|nu(?:a|as|s)|pelad[oa]s?|sexo|sexual(?:es)?|sexuais|erótic[oa]s?|porno|pornografía|pornografia',
  ],
  // French
  [
    'enfants?|fillettes?|garçonnets?|mineure?s?|bébés?|écolières?|adolescente?s?|petites? filles?',
    'nue?s?|sexe|sexuel(?:le)?s?|érotiques?|porno|pornographi(?:e|que)s?|déshabillée?s?',
  ],
  // Italian
  [
    'bambin[aoei]|minorenn[ei]|neonat[oi]|ragazzin[aoei]|adolescent[ei]',
    'nud[aoei]|sesso|sessual[ei]|erotic[aohei]+|porno|pornografi(?:a|co|ci|che)',
  ],
  // German
  [
    'kind(?:er|ern|es)?|kleinkind(?:er)?|minderjährige[rnms]?|säuglinge?|schulmädchen|teenager(?:in)?|kleine[sn]? mädchen',
    'nackt(?:e[rsnm]?)?|sex|sexuell(?:e[rsnm]?)?|erotisch(?:e[rsnm]?)?|porno(?:s|grafie|grafisch|graphie)?|entkleidet(?:e[rsnm]?)?',
  ],
  // Russian
  [
    'реб[её]н(?:ок|ка)|дет(?:и|ей|ск(?:ое|ая|ий|ого|ую))|девочк[аиу]|мальчик(?:а|и)?|школьниц[аыу]|несовершеннолетн\\p{L}*',
    'гол(?:ый|ая|ое|ые|ого)|обнаж[её]нн\\p{L}*|секс\\p{L}*|эротик\\p{L}*|порно\\p{L}*',
  ],
  // Chinese and Japanese
  [
    characters(
      '儿童|兒童|幼女|幼童|未成年|小女孩|小男孩|小学生|小學生|児童|子供|子ども|幼児|ロリ|女子小学生|女子中学生',
    ),
    characters('色情|裸体|裸體|裸照|性爱|性愛|性交|情色|全裸|裸|ポルノ|エロ|セックス|性的'),
  ],
]

export const hardRulesInOtherLanguages: Rule[] = [
  {
    topic: 'sexual content with minors',
    test: either(
      ...minorsAndSex.map(([minors, sexual]) => near(minors, sexual, 6)),
      has('pornografía infantil|pornografia infantil|pédopornographi(?:e|que)|pedopornografia|kinderporno\\p{L}*'),
    ),
  },
  {
    topic: 'sexual violence',
    test: either(
      has(
        words(
          'violación (?:de|a) (?:una? )?(?:mujer|niñ[oa]|chica|hombre|persona)|violar a (?:una?|la|el)',
          "viol(?:er)? (?:d'une|une) (?:femme|fille)",
        ),
      ),
      has('vergewaltig(?:ung|ungen|t|en)|stupr(?:o|are|ata)|estupr(?:o|ar|ada)|изнасилов\\p{L}*'),
      has(characters('强奸|強姦|轮奸|レイプ|強制性交')),
    ),
  },
  {
    topic: 'graphic cruelty',
    test: either(
      near(
        'decapita(?:ción|ção|zione|r|d[oa])|décapit(?:er|ation|ée?)|enthaupt(?:et|en|ung)|обезглав\\p{L}*|descuartiza(?:r|d[oa])|zerstückel(?:t|n|ung)',
        'hombres?|mujer(?:es)?|persona(?:s|ggio)?|prisionero|hommes?|femmes?|uom(?:o|ini)|donn[ae]|homem|mulher|mann(?:es)?|frau|menschen?|gefangenen?|человек\\p{L}*|женщин\\p{L}*|мужчин\\p{L}*',
        4,
      ),
      has(characters('斩首|斬首|肢解|凌迟')),
    ),
  },
]
