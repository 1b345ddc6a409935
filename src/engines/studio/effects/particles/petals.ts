// Petals that flutter down.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Falling, falling } from '../../air/falling.ts'
import type { AirEffect } from '../declaration.ts'

export const petals: AirEffect = {
  kind: 'air',
  label: 'falling petals',
  words: {
    latin:
      '(falling|drifting|floating|swirling|flying|cherry blossom|rose|blows|blowing|scatters) petals|petals (fall|falling|drift|drifting|float|floating|swirl|fly)|falling (cherry )?blossoms?|(cherry )?blossoms? (fall|falling|drift)|blutenblatter|petales (tombent|qui tombent|volent)|petalos (caen|cayendo|que caen)|petali (cadono|che cadono)|petalas (caem|caindo)',
    any: '花瓣|樱花飘|櫻花飄|花びら|桜が舞|桜吹雪|꽃잎|벚꽃이 날|лепестк|بتلات',
  },
  sample: { prompt: 'petals fall', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  cost: 'high',
  draw,
}

const petalsKind: Falling = {
  count: 100,
  size: [4.5, 15],
  slim: 0.66,
  pointed: 0.55,
  speed: 0.075,
  sway: 0.06,
  colours: [
    [0.95, 0.5, 0.54],
    [0.98, 0.76, 0.75],
    [0.82, 0.36, 0.4],
  ],
}

function draw(scene: EffectScene) {
  return falling(scene, petalsKind)
}
