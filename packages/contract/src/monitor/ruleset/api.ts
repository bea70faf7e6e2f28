import { defineEndpoints } from '../../kit/endpoint.ts'
import { AxeSupported } from './schema.ts'

export const rulesetApi = defineEndpoints({
  axeSupported: {
    method: 'GET',
    path: '/ruleSets/axeSupported',
    permission: 'list',
    summary: 'axe-core versions and standards that a scan can use',
    reply: AxeSupported,
  },
})
