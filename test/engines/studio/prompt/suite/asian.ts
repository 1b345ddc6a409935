// Descriptive prompts in Chinese, Japanese, Korean and Arabic, and what a director expects of each.

import type { Expected } from './reading.ts'

export const chinese: Expected[] = [
  ['一位穿红色大衣的女人站在窗边，镜头缓慢推进，柔和的晨光，忧郁的氛围', 'slow push in'],
  ['晚霞满天，云彩缓缓流动，镜头向右平移，电影感', 'pan right; with warm light, drifting clouds'],
  [
    '特写镜头，一杯热气腾腾的咖啡，浅景深，镜头慢慢拉近',
    'slow push in; with steam, shallow depth of field; framed close-up',
  ],
  ['开始下雪了，镜头缓缓拉远，展现宁静的村庄', 'slow pull out; with snow'],
  ['女孩转头微笑，樱花花瓣飘落，慢动作', 'with falling petals, slow motion; not 女孩转头微笑'],
  ['航拍镜头，无人机飞越山谷，晨雾弥漫，日出', 'push in; with fog, sunrise; framed wide'],
  ['镜头环绕舞者旋转，舞者翩翩起舞，聚光灯', 'orbit right; not 舞者翩翩起舞'],
  ['雨夜的街道，霓虹灯闪烁，行人匆匆走过，手持镜头', 'handheld; with rain, flickering light; not 行人匆匆走过'],
  ['先推近人物的脸，然后向上摇，最后淡出', 'push in, tilt up; with fade out'],
  ['固定镜头，湖面波光粼粼，一只小船漂过', 'static; with moving water; not 一只小船漂过'],
  ['全景，秋天的公园，落叶纷飞，镜头从左到右移动', 'pan right; with falling leaves; framed wide'],
  ['镜头跟随一个男孩奔跑，尘土飞扬，温暖的光线', 'push in, handheld; with dust, warm light; not 一个男孩奔跑'],
]

export const japanese: Expected[] = [
  ['赤いコートの女性が窓辺に立っている、カメラがゆっくり近づく、柔らかい朝の光', 'slow push in'],
  ['静かな湖の上を、ゆっくりとカメラが前進していく、朝霧が漂う', 'slow push in; with fog'],
  ['桜の花びらが舞い散る中、少女が微笑む、スローモーション', 'with falling petals, slow motion; not 少女が微笑む'],
  ['雪が降り始める、カメラが後ろに引いていく、静かな村', 'pull out; with snow'],
  [
    'コーヒーカップのクローズアップ、湯気が立ち上る、被写界深度が浅い',
    'with steam, shallow depth of field; framed close-up',
  ],
  ['夕焼けの海、波が打ち寄せる、固定カメラ', 'static; with warm light, moving water'],
  ['カメラが像の周りを回り込む、霧、月明かり', 'orbit right; with fog, cold light'],
  [
    '雨の夜の街、ネオンがちらつく、人々が歩いている、手持ちカメラ',
    'handheld; with rain, flickering light; not 人々が歩いている',
  ],
  ['左から右へパン、雲が流れる山々、ドラマチックな雰囲気', 'pan right; with drifting clouds'],
  ['少年が草原を走る、カメラが彼を追う、風が吹く', 'push in, handheld; with swaying foliage; not 少年が草原を走る'],
  ['ドローン空撮、森の上を上昇する、日の出', 'push in, tilt up; with sunrise; framed wide'],
]

export const korean: Expected[] = [
  ['빨간 코트를 입은 여자가 창가에 서 있다, 카메라가 천천히 다가간다, 부드러운 아침 빛', 'slow push in'],
  ['네온사인이 깜박인다, 비 오는 밤거리, 카메라가 왼쪽으로 이동', 'pan left; with flickering light, rain'],
  ['눈이 내리기 시작한다, 카메라가 천천히 뒤로 물러난다, 조용한 마을', 'slow pull out; with snow'],
  ['커피잔 클로즈업, 김이 피어오른다, 얕은 심도', 'with steam, shallow depth of field; framed close-up'],
  ['벚꽃잎이 흩날린다, 소녀가 미소 짓는다, 슬로우 모션', 'with falling petals, slow motion; not 소녀가 미소 짓는다'],
  ['카메라가 동상 주위를 회전한다, 짙은 안개, 달빛', 'orbit right; with fog, cold light'],
  ['노을 지는 바다, 파도가 친다, 고정 카메라', 'static; with warm light, moving water'],
  ['사람들이 거리를 걷는다, 핸드헬드 카메라, 따뜻한 빛', 'handheld; with warm light; not 사람들이 거리를 걷는다'],
  ['드론 샷, 구름이 흘러간다, 일출', 'push in; with drifting clouds, sunrise'],
  ['먼저 줌인, 그다음 위로 틸트, 먼지가 떠다닌다', 'push in, tilt up; with dust'],
]

export const arabic: Expected[] = [
  ['امرأة ترتدي معطفا أحمر تقف عند النافذة، الكاميرا تقترب ببطء، ضوء الصباح الناعم', 'slow push in'],
  ['الغيوم تتحرك فوق البحر، الأمواج تتكسر على الشاطئ، كاميرا ثابتة', 'static; with drifting clouds, moving water'],
  ['يبدأ الثلج بالتساقط، الكاميرا تبتعد ببطء، قرية هادئة', 'slow pull out; with snow'],
  ['لقطة قريبة لفنجان قهوة، البخار يتصاعد، عمق مجال ضحل', 'with steam, shallow depth of field; framed close-up'],
  ['مطر غزير في الشارع ليلا، رجل يركض، كاميرا محمولة', 'handheld; with rain; not رجل يركض'],
  ['الكاميرا تدور حول التمثال، ضباب كثيف، ضوء القمر', 'orbit right; with fog, cold light'],
  [
    'لقطة واسعة للصحراء، غبار في الهواء، غروب الشمس، الكاميرا تتحرك إلى اليمين',
    'pan right; with dust, warm light; framed wide',
  ],
  ['الفتاة تبتسم، بتلات تتساقط، حركة بطيئة', 'with falling petals, slow motion; not الفتاة تبتسم'],
  ['الكاميرا ترتفع ببطء فوق المدينة، شروق الشمس، أشعة الشمس', 'slow tilt up; with sunrise, sunrays'],
  ['الكاميرا تتبع الحصان، الحصان يركض، رمال', 'push in, handheld; not الحصان يركض'],
]
