import { formatParameterRule } from '@clearway/contract/monitor/page/url/model.ts'
import type { ParameterProposal } from '@clearway/contract/monitor/run/parameter/schema.ts'
import { findScan } from '../../scan/store.ts'
import { type RunDeps, type RunPath, withRun } from '../service.ts'
import { proposeParameters } from './model.ts'
import { listParameterPages } from './store.ts'

/** Parameters of URLs that changed no page of a run, as candidates for the scan's `meaninglessParameters`: not those it has. */
export const getParameterProposals = (deps: RunDeps, runPath: RunPath) =>
  withRun(deps, runPath, async (run) => {
    const ignoredNames = (await findScan(deps, runPath.id))?.settings.advanced.meaninglessParameters ?? []
    const proposals = proposeParameters(await listParameterPages(deps.db, run.id))
    const isIgnored = (proposal: ParameterProposal) =>
      [proposal.name, formatParameterRule(proposal)].some((line) => ignoredNames.includes(line))
    return { proposals: proposals.filter((proposal) => !isIgnored(proposal)) }
  })
