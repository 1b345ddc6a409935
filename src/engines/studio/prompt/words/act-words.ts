// Verbs of what the things in a picture do. Nothing in a still acts, so a clause with one of them is not done, unless its
// subject is the camera or an effect. Verbs of what a picture shows already (stands, holds, wears, looks at) are no acts.

import type { Phrases } from '../phrases.ts'

/** English verbs in their basic form. Of those in `nouns`, forms in -s are things as often as acts. */
export const englishActs =
  `accelerate adjust advance aim animate answer appear approach arch arrive ascend bark bathe beat bend bite blast blaze blink bloom blossom blow blush bob boil
  bounce bow brake break breathe bristle brush burn burst bustle buzz catch charge chase chat cheer chew chirp chop circle clap clash clean click climb close coil collapse collide come comb
  compete cook cough crack crash crawl creak creep crouch crow crumble cry curl cut dance dangle dart dash deliver depart descend dig dip disappear dissolve dive dodge drag drain draw dress
  drift drink drip drive drop duck duel eat embrace emerge enter erupt escape examine exchange exhale exit expand explode explore fade fall fan feed fidget fight fire fix flap flare
  flash flee flex flick fling flip float flock flow flutter fly fold follow frown gallop gasp gather gesture giggle glance glide gnaw grab graze greet grin grind grip groan grow growl grumble
  gulp gush hammer handshake hatch haul heave hide hit hop hover howl hug hum hunt hurry hurtle ignite inflate inhale inspect interrogate jog juggle jump kick kiss knead knit knock land lap laugh launch
  leap leave lick lift lower lurch make march massage melt mend merge mix morph mould move mumble munch nibble nod open orbit paddle paint pace pant parade party pass pat paw peck pedal peel
  peer perform pet pick pilot pivot play plunge point poke polish pop pose pounce pour pray preen press prowl puff pull pulsate pulse punch purr push race rage raise rattle reach react read recede recoil
  reel release remove repair retreat return revolve ride ring rip ripple rise roam roar rock roll rotate row rub rumble run rush salute scamper scan scatter scoop scramble scratch scream scroll scrub scurry seep
  shake shatter shave shed shift shimmer shiver shoot shout shove shrink shrug shudder shuffle sigh sing sink sip sizzle skate ski skip slam slap slash slice slide slip slither slosh smash smile smirk snap snarl sneeze
  sniff snore soar sob spar spark speak speed spill spin spiral splash split spray spread spring sprint sprout squeeze streak squint squirm stack stagger stalk stamp stare-down step stir stitch stomp strike stroke stroll
  struggle strum strut stumble surf surface swarm sway sweat sweep swell swerve swim swing swirl swivel swoop talk tap taste teach tear tease tend throw thrust tick tickle tiptoe toast topple toss touch toy trail train transform
  transition trap travel tread tremble trickle trot trudge tumble turn twinkle twirl twist type unfold unfurl unravel unveil unwrap vanish vibrate wade wag waddle wake walk wander wander-off warp wash wave weave weep weld wheel whip whirl whisk
  whisper whistle wiggle wilt wink wipe wobble work wrap wrestle wriggle write yawn yell zigzag zip zoom awaken scuttle twitch say rustle billow evolve change knead sew arise sail evaporate bubble`.split(
    /\s+/,
  )

/** Their forms in -s and -ing that name things: they count after a subject only. */
export const nouns: ReadonlySet<string> = new Set(
  `waves lights drops steps rocks flies drinks fires falls runs rings prints cuts sparks leaves stones trains plays works ships rows toys parties springs stacks wheels fans pets trails turns shoots dresses rolls drifts
  dips presses points touches stretches lands surfaces ducks paws traps trains shifts ripples strokes scratches splashes crashes flashes hides hits jumps kisses knocks laughs marches parades peels puffs punches reads
  reels rides rises rips rushes scoops screams shakes slides slips smiles springs swings tears ticks toasts twists walks whispers winks wraps pulls pushes catches breaks charges clashes cracks cries dances drags
  draws dives duels embraces exits extends fades fights fixes flips folds gestures glances grips hammers hugs hums jogs kicks knits leaps licks lifts mixes moulds paces paints passes pats picks pops poses prowls
  pulses raises ranges releases returns roars scans sheds shocks shouts sighs sips skates skips slices sniffs spills splits sprays spreads sprints squeezes stamps strikes strolls surfs swarms sweeps swells swirls tastes
  types whips whirls wipes yawns yells arches bends bites blasts blows bounces brakes brushes bursts circles clicks closes coils crawls curls fills flares flocks flows opens orbits
  building lighting painting morning evening ceiling wedding clothing setting rising burning lighting living flooring cooking training racing sailing swimming dancing flowing rolling running walking falling floating moving
  flying hanging melting glowing growing drifting twisting winding sweeping`.split(/\s+/),
)

/** Of a body: "looks at" is a pose, "looks up" an act. */
export const actWords: Phrases = {
  en: `wave/waves/waving at/to/goodbye/hello/his/her/their/a, flag/flags/banner/banners/curtain/curtains/dress/cape/scarf/cloth ~ wav*/flutter*/billow*/blow*/flow*/mov*/sway*,
    he/she/they/who/man/woman/girl/boy/child/person/people/crowd waves/waving, and waves/wave, hair/fur/mane ~ blow*/mov*/flow*/danc*/flutter*/sway*/wav*/billow*, hair/fur in the wind/breeze, floating/flowing hair/dress/cape, wind/breeze in/through hair/fur/mane, blows/blowing/moves/through hair/fur,
    rise behind, rises behind, look/looks/looking up/down/back/away/around/left/right, look/looks/looking over his/her/their shoulder, looks left, stand/stands/standing up, sit/sits/sitting down, sit/sits/sitting up, lie/lies/lying down, light/lights/lighting a/the/his/her/up,  lean/leans/leaning in/forward/back/over,
    get/gets/getting up/out/in, come/comes/coming in/out/alive, go/goes/going by/past/off/away/home, put/puts/putting on/down/away, take/takes/taking off/out/a/his/her/the, turn/turns/turning head/on/off, drive/drives/driving by/past, set/sets/setting off/down,
    shake/shakes/shaking hands, give/gives/giving, hand/hands her/him/over, throw/throws/throwing, swim/swims/swam, run/ran, is/are talking, does/do/doing/performs/performing a/an, tells, said, eyes open/opens/opening/close/closes/closing/light/widen/widens, mouth opens, head turns, lips move/part`,
  de: `lachelt/lacheln, lacht/lachen, grinst, weint, umarm*, kusst/kussen, isst/essen, trinkt/trinken, offnet/offnen, schliesst/schliessen, atmet, blinzelt, spricht/sprechen/redet/reden, singt/singen, geht/gehen, lauft/laufen, rennt/rennen,
    spaziert/spazieren, jagt, klettert/klettern, schwimmt/schwimmen, galoppiert/galoppieren, wedelt, tanzt/tanzen, springt/springen, dreht sich, dreht ~ kopf, winkt/winken, nickt, fliegt/fliegen, fahrt/fahren, explodiert, giesst/giessen, erbluht, wachst, verwandelt,
    klingelt/klingeln, zittert, gleitet ~ vorbei, zieht ~ vorbei, wirft, hebt, greift, spielt/spielen, kocht, schneidet, schaut ~ auf/hoch/zuruck/weg, blickt auf, steht auf, setzt sich, kommt, nahert sich, haare wehen, haar weht, wehen, flattert/flattern, raucht, reitet/reiten, schwankt, rollt, bricht, verschwindet, erscheint/erscheinen, segelt/segeln`,
  fr: `sourit/sourient/souriant, rit/rient, pleure, enlacent, s embrassent, mange/mangent, boit/boivent, ouvre/ouvrent/ferme/fermant, ouvre les yeux, respire, cligne, parle/parlent, chante/chantent, marche/marchent/marchant, court/courent/courant, poursuit, grimpe, nage/nagent, galope/galopent,
    danse/dansent/dansant, saute/sautent, tourne la tete, se retourne, leve, salue, vole/volent, roule/roulent, explose, verse, pousse, eclot, apparait, disparait, transforme, joue/jouent, passe/passent, sonne, tremble, cuisine, coupe, jette, arrive/arrivent, entre/entrent, sort/sortent, cheveux ~ vent/volent, flotte au vent, fume, se leve, s assoit, navigue`,
  es: `sonrie/sonrien/sonriendo, rie/rien/riendo, llora, abraz*, besa/besan, come/comen/comiendo, bebe/beben/bebiendo, abre/abren, cierra/cierran, respira/respirando, parpadea, habla/hablan, canta/cantan, camina/caminan/caminando, corre/corren/corriendo, persigue, trepa, nada en/hacia, galopa/galopan,
    baila/bailan/bailando, salta/saltan/saltando, gira la cabeza, saluda/saludan, vuela/vuelan, conduce, explota, vierte, florece, crece, aparece/aparecen, desaparece, transforma, fuma, toca/tocan, suena, tiembla, cocina, corta, lanza, pelo al viento, pasa/pasan, entra/entran, sale/salen, se levanta, se sienta, juega/juegan, navega/navegan, llega/llegan, ondea`,
  it: `sorride/sorridono, ride/ridono, piange, abbracci*, bacia/baciano, mangia/mangiano, beve/bevono, apre/aprono, chiude/chiudono, respira, parla/parlano, canta/cantano, cammina/camminano/camminando, corre/corrono/correndo, insegue, nuota/nuotano, galoppa,
    balla/ballano, danza/danzano, salta/saltano, gira la testa, saluta/salutano, vola/volano, guida, esplode, versa, sboccia, cresce, appare/appaiono, scompare, suona/suonano, fuma, trema, cucina, taglia, lancia, passa/passano, entra/entrano, esce/escono, si alza, si siede, gioca/giocano, naviga, arriva/arrivano, squilla`,
  pt: `sorri/sorriem/sorrindo, ri/riem, chora, abraca/abracam, beija/beijam, come/comem/comendo, bebe/bebem/bebendo, abre/abrem, fecha/fecham, respira, pisca, fala/falam, canta/cantam, caminha/caminham/caminhando, anda/andam, corre/correm/correndo, persegue, nada em/no, galopa,
    danca/dancam, pula/pulam, salta/saltam, vira a cabeca, acena/acenam, voa/voam, dirige, explode, serve, floresce, cresce, aparece/aparecem, desaparece, transforma, fuma, toca/tocam, treme, cozinha, corta, joga/jogam, passa/passam, entra/entram, sai/saem, se levanta, se senta, brinca/brincam, navega/navegam, chega/chegam`,
  zh: `微笑, 大笑, 笑着, 哭, 拥抱, 擁抱, 亲吻, 親吻, 接吻, 吃, 喝, 睁开, 睜開, 闭上眼, 呼吸, 眨眼, 说话, 說話, 唱歌, 走路, 行走, 走过, 走向, 走来, 走在, 走进, 奔跑, 跑步, 跑过, 奔驰, 追逐, 攀爬, 游泳, 游过, 游动, 摇尾, 搖尾, 跳舞, 起舞, 跳跃, 跳起, 转头, 轉頭, 回头, 转身,
    点头, 挥手, 招手, 抬头, 低头, 头发飘, 頭髮飄, 飘动, 鸟儿飞, 鳥飛, 飞鸟, 飞过天空, 飞翔, 飞舞, 行驶, 驶过, 漂过, 车流, 发射, 倒入, 倒出, 注入, 绽放, 綻放, 生长, 亮起, 点亮, 点燃, 车轮转, 风车转, 出现, 变成, 變成, 消失, 打开, 关上, 弹奏, 演奏, 做饭, 切菜, 抽烟, 打架, 骑着, 飘过, 摔倒, 拿起, 放下, 伸手, 张开, 穿梭, 玩耍`,
  ja: `微笑, 笑う, 笑って, 笑い, 泣, 抱きしめ, キスする, 食べ, 飲ん, 飲む, 目を開, 目を閉, 息をする, まばたき, 話す, 話し, 歌う, 歌って, 歩く, 歩い, 歩き, 走る, 走っ, 走り, 追いかけ, 登る, 登っ, 泳い, 泳ぐ, 尻尾を, 踊, ジャンプ, 跳, 振り向, 頷, 手を振, 見上げる, 髪がなび, 飛ぶ, 飛ん, 飛び立, 飛び去, 車が走, 通り過ぎ, 注ぐ, 注が, 咲く, 咲いて, 育つ, 出現, 現れ, 変身, 消える, 開ける, 開く, 閉じ, 弾く, 弾い, 料理する, 切る, 遊, 演奏, 戦, 倒れ, 投げ, 乗っている`,
  ko: `미소, 웃고, 웃는, 웃으, 웃는다, 울고, 우는, 포옹, 키스, 먹는, 먹고, 마시, 눈을 뜨, 눈을 감, 숨을 쉬, 눈을 깜, 말하, 말한, 노래, 걷, 걸어, 달리, 달려, 뛰, 쫓, 오르, 헤엄, 수영, 꼬리를, 춤, 점프, 고개를, 돌아보, 손을 흔들, 머리카락이, 날아가, 새가 날, 자동차가, 지나가, 지나간, 따르, 붓, 피어나, 자라, 나타나, 변신, 사라지, 열, 닫, 연주, 요리, 싸우, 놀`,
  ru: `улыба*, сме*, смеется, плач*, обнима*, целу*, ест, кушает, пьет, открыва*, закрыва*, дыш*, мига*, морга*, говор*, поет, поют, идет/идут, бежит/бегут, гонится, взбира*, плывет/плывут/плавает, виляет, танцу*, прыга*, поворачивает голову, оборачива*, кивает, машет, летит/летят, едет/едут, машины едут,
    налива*, льется, распуска*, растет, загора*, вращаются, появля*, превраща*, исчеза*, курит, играет/играют, режет, готовит, бросает, подним* руку, встает, садится на, проходит/проходят, дрожит, звонит, скачет, взлетает, развева*, падает/падают`,
  ar: `يبتسم, تبتسم, يضحك, تضحك, يبكي, تبكي, يعانق, يقبل, يأكل, تأكل, يشرب, تشرب, يفتح, تفتح, يغمض, تغمض, يتنفس, يتحدث, تتحدث, يغني, تغني, يمشي, تمشي, يركض, تركض, يجري, تجري, يطارد, يسبح, تسبح, يرقص, ترقص, يقفز, تقفز, يلوح, تلوح, يطير, تطير الطيور, الطيور تطير, السيارات تسير, يصب, تتفتح, ينمو, يظهر, تظهر, يختفي, يدخن, يعزف, تعزف`,
}
