// Water that ripples and glints.

import { glints } from '../../air/stars.ts'
import type { RegionEffect } from '../declaration.ts'

export const water: RegionEffect = {
  kind: 'region',
  label: 'moving water',
  words: {
    latin:
      '(gentle |small |soft |rolling |crashing |breaking )?(?<!(grass|wheat|reeds|trees?|leaves|flowers|branches|plants?) )waves?|rippl(e|es|ing)|(lake|sea|ocean|river|water|surface) (ripples?|shimmers?|glitters?|sparkles?|glistens?)|surf|lapping|(flowing|moving|rushing|rippling|shimmering|glittering|sparkling) (water|sea|river|lake)|water (flows?|flowing|moves?|moving)|(river|stream|brook|creek) (flows?|flowing|runs|running)|glint(s|ing)? on (the )?water|wellen|wogen|(wasser|see|meer|fluss) (fliesst|bewegt|glitzert|krauselt|funkelt)|vagues?|ondes|l eau (coule|bouge|scintille)|olas|ondas?|agua (fluye|se mueve|brilla)|onde|ondeggia\\w*|acqua (scorre|si muove|brilla)|agua (corre|flui)',
    any: '波浪|海浪|波纹|波紋|涟漪|漣漪|流水|水面波|水波|波光|水流|波が|さざ波|水が流れ|水面が|きらめく水|파도|물결|물이 흐|волн|рябь|вода теч[её]т|блики на воде|أمواج|موج|الماء يتدفق',
  },
  sample: { prompt: 'gentle waves', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['water'],
  sound: 'surf',
  cost: 'high',
  draw: glints,
}
