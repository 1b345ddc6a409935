// Words that say nothing by themselves: articles, pronouns, adverbs and what begins something.

import type { Language } from '../language.ts'
import type { Phrases } from '../phrases.ts'

/** They may stand between the words of any phrase. */
export const light: Phrases = {
  en: `a an the its his her their our this that these those of is are was be been being has have had it slowly gently softly quietly lightly
    subtly quickly rapidly smoothly silently lazily gracefully calmly delicately wildly steadily suddenly gradually continuously constantly heavily
    beautifully brightly faintly violently begins begin beginning starts start starting to continues continue all around very still now
    just also always then which who we can should some`,
  de: `sie der die das den dem des ein eine einer einen einem eines sich es zu beginnt beginnen fangt an langsam sanft leise leicht schnell stark heftig
    ist sind wird werden dann nun noch sehr ganz und zum zur im am von vom mit seine ihre ihr sein immer`,
  fr: `le la les l un une des du de d se s et est sont qui il elle lentement doucement rapidement legerement commence commencent a au aux en tres
    puis ensuite peu plus son sa ses leur y dans`,
  es: `el la los las un una unos unas de del se que y a al lentamente suavemente despacio rapidamente comienza comienzan empieza empiezan esta estan
    muy su sus con poco mas en por`,
  it: `il lo la i gli le l un una uno di del della dei delle dal dalla si che e a al alla ai alle lentamente dolcemente rapidamente comincia cominciano
    inizia iniziano sta stanno molto suo sua con piu in nel nella`,
  pt: `o a os as um uma de do da dos das se que e ao aos lentamente suavemente devagar rapidamente comeca comecam esta estao muito sua seu com mais em
    no na por`,
  zh: '的 了 着 地 在 正 被 得 很',
  ja: 'の は が を に と も で い る て',
  ko: '으 로 서 이 가 은 는 을 를 의 에 게 도',
  ru: 'и в на с к начинает начинают начинается начинаются медленно тихо мягко плавно быстро очень это его ее их она',
  ar: '',
}

const prepositions: Phrases = {
  en: `in into on onto of with through at by from to over under above behind before after across along for near around toward towards down up
    off out past as inside beneath below between against beside`,
  de: 'in auf von mit durch uber unter hinter vor fur gegen nach im am bei zum zur ins aus an',
  fr: 'a dans sur sous avec devant derriere vers par pour au aux de du des d en',
  es: 'a en sobre bajo con tras hacia por para de del al desde entre',
  it: 'a in nel nella sul sulla con verso per tra di del della dei al alla alle allo ai dal dalla da su',
  pt: 'a em no na nos nas sobre sob com para ao do da de por',
  ru: 'в на с над под за через по к от из у о',
}
const sets = new Map<Language, ReadonlySet<string>>()

/** What stands before the thing that it tells of. */
export function prepositionsOf(language: Language): ReadonlySet<string> {
  if (!sets.has(language)) sets.set(language, new Set((prepositions[language] ?? '').split(/\s+/)))
  return sets.get(language)!
}
