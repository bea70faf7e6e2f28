import { type RawBuilder, sql } from 'kysely'
import { formatMention } from '@clearway/contract/monitor/issue/mention/model.ts'
import type { TestApi } from '../api.ts'
import { buildBranchRun } from '../branch-run.ts'
import type { World } from '../world.ts'
import { daily } from './step.ts'

const sessionScript = `projects:
  - name: P
    id: p
    pageList:
      - name: Start
        url: https://example.org/
        actions:
          - 'type "<PASSWORD>" into element "input"'
`
const urls = ['https://example.org/']
const session = { connection: { authType: 'basic', username: 'ann', password: 'hush-hush' } }
const signingIn = {
  name: 'Signs in',
  urls,
  session,
  schedule: daily,
  scripts: {
    own: [{ name: 'Sign in', type: 'SESSION', text: sessionScript }],
    variables: [{ name: 'PASSWORD', value: 'open-sesame' }],
  },
  advanced: { extraHeaders: [{ name: 'X-Token', value: 'header-secret' }] },
}

const draft = {
  values: { name: 'Half done', bestPractices: true, variables: [{ name: 'USER', value: '', stored: true }] },
  base: { name: '' },
  version: null,
  left: ['general'],
  skipped: [],
  savedAt: '2026-11-24T10:00:00.000Z',
}

/** Rows that only a worker writes; the run of `otherScan` is in progress. */
const buildWorkerRows = ({ page, scan, otherScan }: World): RawBuilder<unknown>[] => {
  const run = sql`(select id from run where scan_id = ${otherScan} order by number desc limit 1)`
  const webhook = sql`(select id from webhook where scan_id = ${scan} limit 1)`
  return [
    sql`insert into recheck (page_id, run_id, state, requested_by, ended_at)
      select id, run_id, 'done', 'scanAdmin', now() from page where id = ${page}`,
    sql`insert into worker (id, host, pid, browser) values (gen_random_uuid(), 'an-old-host', 7, '140')`,
    sql`insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, place, depth, url, key)
      values (${run}, '\\xaa', 0, 0, 0, 0, 1, 0, 'https://example.org/a', 'https://example.org/a')`,
    sql`insert into host_pace (run_id, host) values (${run}, 'example.org')`,
    sql`insert into page_link (run_id, url, key_hash, targets) values (${run}, 'https://example.org/', '\\xaa', '{1,2}')`,
    sql`insert into subscriber (scan_id, person_id) values (${scan}, 'scanAdmin')`,
    sql`insert into scan_group_admin (group_id, person_id) select id, 'scanAdmin' from scan_group limit 1`,
    sql`insert into delivery (id, kind, scan_id, webhook_id, run_number, event, receiver, payload, state, attempts, last_status)
      values (gen_random_uuid(), 'webhook', ${scan}, ${webhook}, 2, 'finished', 'https://hooks.example.org/clearway',
        '{"event":"finished"}', 'delivered', 1, 200)`,
  ]
}

/** Adds rows that the walk does not leave behind, so that its database has rows of every noun: by the API, otherwise directly. */
export async function addMore(api: TestApi, admin: string, world: World): Promise<void> {
  const callApi = async (method: string, path: string, body: unknown) => {
    const reply = await api.call(method, path, { token: admin, body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as { id: string }
  }
  await callApi('POST', '/scans', signingIn)
  await callApi('POST', '/scans', { name: 'Signs in plainly', urls, session })
  await callApi('POST', '/scans', { name: 'Weekly', urls, schedule: daily })
  await callApi('POST', '/api-keys', {
    name: 'CI',
    scopes: ['read'],
    expiresAt: new Date(Date.now() + 300 * 86_400_000).toISOString(),
  })
  const everyoneAudience = { kind: 'everybody' }
  const view = await callApi('POST', '/views', { name: 'Open', screen: 'issues', audience: everyoneAudience, query: {} })
  await callApi('PUT', '/views/defaults', { screen: 'issues', viewId: view.id })
  await callApi('PUT', '/scans/draft', draft)
  await callApi('PUT', `/scans/${world.scan}/draft`, { ...draft, version: 1 })
  await callApi('POST', `/issues/${world.issue}/comments`, { text: `See ${formatMention('scanMember')}` })
  await callApi('POST', `/scans/${world.scan}/public-token`, {})
  await callApi('POST', `/scans/${world.scan}/webhooks`, {
    url: 'https://hooks.example.org/clearway',
    events: ['finished'],
  })
  await callApi('POST', `/scans/${world.scan}/branchRuns`, buildBranchRun())
  await callApi('POST', `/scans/${world.otherScan}/startRun`, undefined)
  for (const insertRow of buildWorkerRows(world)) await insertRow.execute(api.db)
}
