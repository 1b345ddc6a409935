// Clouds that drift.

import type { RegionEffect } from '../declaration.ts'

export const clouds: RegionEffect = {
  kind: 'region',
  label: 'drifting clouds',
  words: {
    latin:
      '(moving|drifting|passing|rolling|floating|fast|swirling) clouds?|clouds? (move|moves|moving|drift|drifts|drifting|pass|passing|roll|rolling|float|floating|race|racing|slide)|cloud movement|(time ?-?lapse|hyper ?-?lapse) (of |de )?(the |las )?(clouds|sky|nubes)|zeitraffer (der |von )?wolken|wolkenzeitraffer|(clouds?|sky) (time ?-?lapse|hyper ?-?lapse)|wolken (ziehen|treiben|bewegen)|ziehende wolken|nuages (passent|defilent|bougent|derivent)|nubes (pasan|moviendose|en movimiento|se mueven)|nuvole (passano|si muovono|scorrono)|nuvens (passam|em movimento|se movem)',
    any: '云朵飘|延时[^,。]{0,6}云|云[^,。]{0,4}延时|白云飘|云飘|雲飄|流云|流雲|云在飘|云层移动|雲が流れ|雲が動|구름이 흐|구름이 움|облака плывут|плывущие облака|облака движ|الغيوم تتحرك|غيوم متحركة',
  },
  sample: { prompt: 'clouds drift', picture: 'lake' },
  rise: 'quick',
  joins: 'own',
  windborne: true,
  isLight: false,
  sees: ['sky'],
  sound: 'wind',
  cost: 'high',
  draw: null,
}
