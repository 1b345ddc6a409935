// Descriptive prompts in the style of the generators' own guides, and what a director expects of each: moves; with effects;
// framed; not what is not done, in the prompt's own words, separated by " | ".

import type { Expected } from './reading.ts'

export const english: Expected[] = [
  // Subject, action, camera, light, mood.
  [
    'A woman in a red coat stands at the window, slow push-in, soft morning light, melancholic mood, 35mm lens',
    'slow push in',
  ],
  [
    'A young man with curly hair smiles gently as the camera slowly pushes in on his face, warm golden hour light, shallow depth of field',
    'slow push in; with warm light, shallow depth of field; not A young man with curly hair smiles gently',
  ],
  [
    'Wide shot of a mountain lake at dawn, mist drifting over the water, slow pan to the right, serene atmosphere, 4K',
    'slow pan right; with fog; framed wide',
  ],
  [
    'Close-up of a steaming cup of coffee on a wooden table, steam rising slowly, shallow focus, gentle push in, cozy mood',
    'slow push in; with steam, shallow depth of field; framed close-up',
  ],
  [
    'A golden retriever runs along the beach, waves crash behind it, tracking shot to the left, bright summer day',
    'pan left; with moving water; not A golden retriever runs along the beach',
  ],
  [
    'Drone shot rising over a dense forest at sunset, fog between the trees, cinematic color grading',
    'push in, tilt up; with warm light, fog',
  ],
  [
    'An old fisherman mends his net on the pier, handheld camera, overcast light, gritty documentary style',
    'handheld; not An old fisherman mends his net on the pier',
  ],
  [
    'The camera orbits slowly around a vintage car in a neon-lit garage, reflections on the chrome, moody lighting',
    'slow orbit right',
  ],
  [
    'A chef tosses vegetables in a flaming wok, close-up, handheld, sparks flying, dramatic side light',
    'handheld; with embers; framed close-up; not A chef tosses vegetables in a flaming wok',
  ],
  [
    'Extreme close-up of an eye, slow zoom in, a tear rolls down her cheek, cold blue light',
    'slow push in; with cold light; framed detail; not a tear rolls down her cheek',
  ],
  [
    'A knight in armor kneels in a ruined cathedral, dust motes float in beams of sunlight, slow crane up',
    'slow tilt up; with dust, sunrays',
  ],
  [
    'Medium shot of a barista behind the counter, she pours milk into a cup, bokeh lights in the background',
    'with bokeh; framed medium; not she pours milk into a cup',
  ],
  [
    'Snow falls softly on a quiet village, lanterns flicker in the windows, static camera, cinematic',
    'static; with snow, flickering light',
  ],
  [
    'A ballerina twirls on an empty stage, camera circles around her, single spotlight, film grain',
    'orbit right; with film grain; not A ballerina twirls on an empty stage',
  ],
  [
    'The camera pulls back to reveal a vast desert, a lone traveler walks toward the horizon, heat haze',
    'pull out; not a lone traveler walks toward the horizon | heat haze',
  ],
  [
    'A cat sits on a windowsill, watching the rain outside, slow dolly in, muted colors',
    'slow push in; with rain; not muted colors',
  ],
  [
    'Low-angle shot looking up at a skyscraper, clouds race across the sky, time-lapse, tilt down to the street',
    'tilt down; with drifting clouds; not time-lapse',
  ],
  [
    'Two friends laugh at a street market, handheld camera following them, colorful lights, bokeh',
    'push in, handheld; with bokeh; not Two friends laugh at a street market',
  ],
  [
    'Cherry blossom petals drift through the air around a girl in a kimono, gentle breeze, soft focus, slow pan left',
    'slow pan left; with falling petals; not soft focus',
  ],
  [
    'A lighthouse on a cliff during a thunderstorm, lightning flashes, waves crash on the rocks, static wide shot',
    'static; with rain, lightning, moving water; framed wide',
  ],
  // Runway: the camera first, then the scene.
  [
    'Low angle static shot: The camera is angled up at a woman wearing all orange as she stands in a tropical rainforest with colorful flora. The dramatic sky is overcast and gray.',
    'static',
  ],
  [
    'Continuous hyperspeed FPV footage: The camera seamlessly flies through a glacial canyon to a dreamy cloudscape.',
    'fast push in',
  ],
  [
    'Handheld tracking shot: a runner sprints through a rainy alley at night. Puddles splash under her feet.',
    'pan right, handheld; with rain; not a runner sprints through a rainy alley at night | Puddles splash under her feet',
  ],
  ['Slow dolly zoom: a man on a rooftop stares at the city below. His face is lit by neon signs.', 'slow dolly zoom'],
  [
    'Overhead shot: hands knead dough on a floured table. Flour dust hangs in the air. Warm kitchen light.',
    'with dust, warm light; not hands knead dough on a floured table',
  ],
  [
    'The camera slowly moves forward through a dark hallway. A door at the end creaks open. Light spills in.',
    'slow push in; not A door at the end creaks open | Light spills in',
  ],
  [
    'The subject turns her head toward the camera and smiles. Her hair moves in the wind. The camera remains static.',
    'static; with swaying foliage; not The subject turns her head toward the camera | smiles | Her hair moves in the wind',
  ],
  [
    'A cinematic wide shot: waves roll onto a black sand beach under a stormy sky. The camera tracks right along the shore.',
    'pan right; with moving water; framed wide',
  ],
  [
    'Locked-off shot. Steam rises from a manhole. Pedestrians pass by in the background. The neon sign flickers.',
    'locked off; with steam, flickering light; not Pedestrians pass by in the background',
  ],
  [
    'Camera whip pans left to a boy on a bicycle. The boy rides away down the street.',
    'fast pan left; not The boy rides away down the street',
  ],
  // Veo: shot, subject, action, context, style, audio.
  [
    'Medium close-up of a weary detective in a trench coat. He lights a cigarette, smoke curling around his face. Rain streaks down the window behind him. Film noir, black and white.',
    'with smoke, rain, black and white; framed medium; not He lights a cigarette',
  ],
  [
    'A close up of spies exchanging information in a crowded train station, cinematic, cool tones, shallow depth of field. Audio: distant announcements and footsteps.',
    'with cold light, shallow depth of field; framed close-up; not spies exchanging information in a crowded train station | distant announcements and footsteps',
  ],
  [
    'Crane shot starting low on a lone hiker and ascending high above, revealing they are standing on the edge of a colossal, mist-filled canyon at sunrise, epic fantasy style.',
    'tilt up; with fog, sunrise',
  ],
  [
    'POV shot from a motorcycle on a coastal road, waves on the left, golden hour, wind noise.',
    'push in, handheld; with moving water, warm light',
  ],
  [
    'An aerial view of a winding river through autumn hills, camera glides forward, soft evening light',
    'push in; framed wide',
  ],
  [
    'She says, "We have to leave now." The camera pushes in on her eyes. Thunder rumbles in the distance.',
    'push in; with lightning; not She says, "We have to leave now."',
  ],
  [
    'Tracking shot following a red fox through tall grass, grass swaying, early morning, dew, macro details',
    'push in, handheld; with swaying foliage; framed detail',
  ],
  [
    'Rack focus from the flowers in the foreground to the woman in the background, soft daylight, 85mm',
    'with rack focus',
  ],
  [
    'The camera racks focus from the counter to her face, bokeh behind her, static shot',
    'static; with rack focus, bokeh',
  ],
  [
    'A detective interrogates a nervous-looking rubber duck, over-the-shoulder shot, quirky mood. SFX: quacking.',
    'not A detective interrogates a nervous-looking rubber duck | quacking',
  ],
  // Sora: scene, cinematography, actions.
  [
    'In a 90s documentary-style interview, an old Swedish man sits in a study. Handheld camera, natural light, slight film grain.',
    'handheld; with film grain',
  ],
  [
    'Cinematography: Camera shot: medium close-up, slow push-in. Lighting: overhead practical, warm. Mood: gentle, whimsical. Actions: The robot taps the bulb.',
    'slow push in; framed medium; not The robot taps the bulb',
  ],
  [
    'Scene 1: drift left over the rooftops. Scene 2: push in on the clock tower. Scene 3: fade to black.',
    'pan left, push in; with fade out',
  ],
  [
    'Shot 1: wide shot of the harbor, pan right. Shot 2: the fog rolls in, slow push in.',
    'pan right, slow push in; with fog; framed wide',
  ],
  ['0-2s: slow push in on the door, 2-5s: tilt up to the moon, 5-8s: fade out', 'slow push in, tilt up; with fade out'],
  ['Over the lake, drift left, morning haze, ripples on the water, peaceful', 'pan left; with fog, moving water'],
  ['The shot begins on her hands, then pulls up to her face. She closes her eyes.', 'tilt up; not She closes her eyes'],
  [
    'Grand cathedral interior, light rays through stained glass, camera rises slowly toward the ceiling',
    'slow tilt up; with sunrays',
  ],
  [
    'A stylish woman walks down a Tokyo street filled with warm glowing neon. She wears a black leather jacket. The street is damp and reflective. Many pedestrians walk about.',
    'not A stylish woman walks down a Tokyo street filled with warm glowing neon | Many pedestrians walk about',
  ],
  [
    'Several giant wooly mammoths approach, treading through a snowy meadow, their fur blows in the wind, low camera view, depth of field',
    'with shallow depth of field, swaying foliage; not Several giant wooly mammoths approach | treading through a snowy meadow | their fur blows in the wind',
  ],
  // Hailuo: moves in brackets.
  ['[Push in] A samurai on a misty bridge. [Tilt up] The moon above.', 'push in, tilt up; with fog'],
  ['[Truck left, Pan right] A street market at night, lanterns glow', 'pan left; with flickering light'],
  ['A girl holds an umbrella, [Zoom out], heavy rain, city lights', 'pull out; with rain'],
  [
    '[Tracking shot] A horse gallops across the plain, dust rising, [Shake]',
    'pan right, handheld; with dust; not A horse gallops across the plain',
  ],
  ['[Static shot] Candles burn on an altar, wax drips slowly', 'static; with flickering light; not wax drips slowly'],
  ['[Pedestal up] A bookshelf full of old books, dust floats in the light', 'tilt up; with dust'],
  // Kling: subject and movement, scene, camera, light, atmosphere.
  [
    'A giant panda holds a black-rimmed glasses and reads a book in a café, with a cup of coffee steaming on the table, sunlight through the window, medium shot, blurred background',
    'with steam, sunrays, shallow depth of field; framed medium',
  ],
  [
    'A train passes through a snowy mountain valley, aerial shot, camera follows the train, cold tones',
    'push in, handheld; with cold light; framed wide; not A train passes through a snowy mountain valley',
  ],
  ['Many people in the rain with umbrellas, top view, slow zoom out, moody colors', 'slow pull out; with rain'],
  ['A huge castle on a hill, some trees in the fog, camera drifts to the right', 'pan right; with fog'],
  [
    'A fortress by the sea at dusk, torches flicker on the walls, birds circle above, slow tilt up',
    'slow tilt up; with flickering light; not birds circle above',
  ],
  [
    'The phone rings and shakes on the bedside table, dim room, static camera',
    'static; not The phone rings | shakes on the bedside table',
  ],
  [
    'The boat sails to the right, gentle waves, seagulls overhead, sunny day',
    'with moving water; not The boat sails to the right',
  ],
  [
    'Gondolas rock on the canal, water shimmers, camera glides forward slowly, Venice at sunset',
    'slow push in; with moving water, warm light; not Gondolas rock on the canal',
  ],
  [
    'He adjusts his hat and walks off, dust blowing across the street, western style, wide shot',
    'with dust; framed wide; not He adjusts his hat | walks off',
  ],
  [
    'They raise their glasses for a toast, confetti falls, slow motion, warm light, handheld',
    'slow handheld; with confetti, slow motion, warm light; not They raise their glasses for a toast',
  ],
  [
    'Crowds moving through a night market, neon signs flickering, hyperlapse circling around the square',
    'orbit right; with flickering light; not Crowds moving through a night market | hyperlapse circling around the square',
  ],
  [
    'A river running through a valley, the light grows warmer, slow pull back, peaceful',
    'slow pull out; with moving water, warm light',
  ],
  ['A burning sunset over the ocean, calm sea, slow zoom in on the sun', 'slow push in; with warm light'],
  ['Crane up over a wheat field, wheat sways in the wind, golden light', 'tilt up; with swaying foliage, warm light'],
  ['Camera rises above the clouds, sun flare, epic orchestral mood', 'tilt up; with lens flare'],
  [
    'Close-up on her hands as she plays the piano, then slow pan up to her face, desaturated colors',
    'slow tilt up; framed close-up; not she plays the piano | desaturated colors',
  ],
  // Luma, Pika, Wan.
  [
    'A serene Japanese garden with a koi pond, koi swim lazily, maple leaves falling, soft ambient light, camera slowly pans left',
    'slow pan left; with falling leaves; not koi swim lazily',
  ],
  ['camera orbit left, a perfume bottle on black marble, water droplets, studio light, luxurious', 'orbit left'],
  [
    'A product shot of a sneaker on a pedestal, slow 360 orbit, rim light, dark background, smoke drifting at the base',
    'slow orbit right; with smoke; not slow 360 orbit',
  ],
  [
    'The candle flame dances in the dark, shadows move on the wall, slow push in, intimate',
    'slow push in; with flickering light',
  ],
  [
    'Autumn park, leaves swirl in the wind, an old man on a bench feeds pigeons, tracking shot right',
    'pan right; with falling leaves; not an old man on a bench feeds pigeons',
  ],
  [
    'A spaceship hovers above the city, lights blinking, lens flare, fog below, camera tilts up slowly',
    'slow tilt up; with lens flare, fog; not A spaceship hovers above the city | lights blinking',
  ],
  [
    'Night falls over the village, stars appear in the sky, fireflies glow above the meadow, static shot',
    'static; with day turning to dusk, twinkling stars, fireflies',
  ],
  ['The sun rises over misty hills, birds chirping, slow pan right, hopeful', 'slow pan right; with sunrise, fog'],
  [
    'A bustling kitchen, handheld camera weaving between the cooks, steam everywhere, energetic',
    'push in, handheld; with steam',
  ],
  [
    'Vintage Super 8 footage of a family picnic, light leaks, children play in the grass, nostalgic',
    'with vintage film; not light leaks | children play in the grass',
  ],
  [
    'Glitchy VHS footage of an empty mall, flickering fluorescent lights, slow zoom',
    'slow push in; with glitch, VHS, flickering light',
  ],
  [
    'A rose in extreme close-up, a drop of water slides down the petal, macro lens, dark background',
    'framed detail; not a drop of water slides down the petal',
  ],
  [
    'Portrait of an elderly woman, deep wrinkles, she blinks slowly and looks away, black and white, grainy film',
    'with black and white, film grain; not she blinks slowly | looks away',
  ],
  [
    'A couple dances in the rain under a streetlight, camera arcs around them to the left, romantic',
    'orbit left; with rain; not A couple dances in the rain under a streetlight',
  ],
  [
    'Embers float up from a campfire, faces lit by firelight, slow dolly out, night sky full of stars',
    'slow pull out; with embers, flickering light',
  ],
  [
    'Sandstorm approaching a desert town, handheld, people run for cover',
    'handheld; with sandstorm; not people run for cover',
  ],
  [
    'Underwater scene, bubbles rise, sun rays from above, a sea turtle swims past, slow push in',
    'slow push in; with bubbles, sunrays; not a sea turtle swims past',
  ],
  [
    'A luxury watch on velvet, the camera dollies in, shallow depth of field, the second hand ticks',
    'push in; with shallow depth of field; not the second hand ticks',
  ],
  [
    'The curtain flutters, morning sun streams through the window, dust particles, quiet, static',
    'static; with sunrays, dust; not The curtain flutters',
  ],
  [
    'Cars drive by on a wet street at night, long exposure light trails, static wide shot, rain',
    'static; with rain; framed wide; not Cars drive by on a wet street at night | long exposure light trails',
  ],
  [
    'Slow motion: a dog shakes off water, backlit, bokeh, close-up',
    'with slow motion, bokeh; framed close-up; not a dog shakes off water',
  ],
  [
    'Camera starts wide and slowly zooms in until only the crown is visible, royal court, candlelight',
    'slow push in; with flickering light',
  ],
  [
    'First the camera pans left across the skyline, then it zooms out, finally the lights go on',
    'pan left, pull out; not the lights go on',
  ],
  [
    'The volcano erupts in the distance, ash falls like snow, camera shakes, people flee',
    'handheld; with falling ash; not The volcano erupts in the distance | people flee',
  ],
  [
    'A woman in a blue dress with long brown hair looks out to sea, wind, wide lens, teal and orange grade',
    'with swaying foliage; not teal and orange grade',
  ],
  [
    'Dutch angle of a haunted house, lightning in the sky, fog creeps over the ground, ominous',
    'roll clockwise; with lightning, fog',
  ],
  ['Roll the camera slowly clockwise over a spiral staircase, no people, top-down', 'slow roll clockwise'],
  ['No camera movement. A calm lake, clouds drift slowly, no people.', 'static; with drifting clouds'],
  [
    'The painting comes to life, brush strokes swirl, slow zoom out, watercolor style',
    'slow pull out; not The painting comes to life | brush strokes swirl | watercolor style',
  ],
  [
    'A paper boat floats down a stream, ripples, low angle, camera follows the boat, soft music',
    'push in, handheld; with moving water; not A paper boat floats down a stream | soft music',
  ],
  [
    'Anime style, a girl with a sword, wind in her hair, speed lines, dramatic zoom in',
    'push in; with swaying foliage; not Anime style | wind in her hair | speed lines',
  ],
  [
    'Hyperrealistic, 8k, masterpiece, a lion on a rock at sunset, mane blowing in the wind, slow push in',
    'slow push in; with warm light, swaying foliage; not mane blowing in the wind',
  ],
  [
    'The bride throws the bouquet, guests cheer, petals falling, slow motion tracking shot',
    'slow pan right; with falling petals, slow motion; not The bride throws the bouquet | guests cheer',
  ],
  [
    'Interior of a spaceship cockpit, stars streak past the window, handheld shake, tense',
    'handheld; not stars streak past the window',
  ],
  [
    'A tea ceremony, hands whisk matcha, steam, close-up, camera tilts down from her face to the bowl',
    'tilt down; with steam; framed close-up; not hands whisk matcha',
  ],
  [
    'Fireworks explode above the bay, reflections shimmer on the water, wide static shot',
    'static; with moving water; framed wide; not Fireworks explode above the bay',
  ],
  [
    'An astronaut on the moon, the flag waves, Earth rises behind, slow truck right',
    'slow pan right; not the flag waves | Earth rises behind',
  ],
  [
    'Morning in the mountains: the fog begins to lift, a rooster crows, pan from left to right',
    'pan right; not a rooster crows',
  ],
]
