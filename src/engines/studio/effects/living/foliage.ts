// Leaves and grass that sway.

import type { RegionEffect } from '../declaration.ts'

export const foliage: RegionEffect = {
  kind: 'region',
  label: 'swaying foliage',
  words: {
    latin:
      '(leaves|trees?|grass|branches|foliage|plants?|flowers|wheat|reeds) (sway|sways|swaying|rustle|rustles|rustling|move|moves|moving|wave|waves|waving|flutter|fluttering|tremble|blow|blowing)|swaying (trees?|grass|leaves|branches|flowers|reeds|wheat)|rustling (leaves|trees|grass)|(wind|breeze) (blows |moves |blowing |moving )?(through|in) the (trees|grass|leaves)|blatter rascheln|baume wiegen|gras wiegt|feuilles (bougent|bruissent)|arbres (bougent|se balancent)|hojas (se mueven|susurran)|arboles (se mecen|se mueven)|foglie (si muovono|frusciano)|alberi (ondeggiano|si muovono)|folhas (balancam|se movem)|arvores (balancam|se movem)',
    any: '树叶摇|树叶晃|吹动(着)?(树叶|树枝|草|花)|草随风|随风摇曳|隨風搖曳|树影摇|葉が揺|木々が揺|草が揺|나뭇잎이 흔들|풀이 흔들|листья колышутся|деревья качаются|трава колышется|أوراق الشجر تتمايل|تتمايل الأشجار',
  },
  sample: { prompt: 'leaves rustling', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  cost: 'high',
  draw: null,
}
