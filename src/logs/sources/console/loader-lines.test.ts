import { expect, it } from 'vitest'
import { loaderComplaints } from '../lever/console.js'

it.each([
  [
    "[WARNING] 缺失的键: ['pointer_selector.cross_attn_layers.0.in_proj_weight']",
    { 'weights.missing_keys': 'pointer_selector.cross_attn_layers.0.in_proj_weight' },
  ],
  [
    '意外的键 (1): pointer_selector.cross_attn.in_proj_weight',
    { 'weights.unexpected_keys': 'pointer_selector.cross_attn.in_proj_weight' },
  ],
  [
    "_IncompatibleKeys(missing_keys=['a.b'], unexpected_keys=['c.d'])",
    { 'weights.missing_keys': 'a.b', 'weights.unexpected_keys': 'c.d' },
  ],
  ['Missing key(s) in state_dict: "norm.weight", "norm.bias".', { 'weights.missing_keys': 'norm.weight norm.bias' }],
  ['缺失的键: []', {}],
  ['_IncompatibleKeys(missing_keys=[], unexpected_keys=[])', {}],
  ['the key point is a.b', {}],
])('%s', (line, complaints) => {
  expect(loaderComplaints(line)).toEqual(complaints)
})
