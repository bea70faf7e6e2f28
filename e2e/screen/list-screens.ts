import type { Client } from '../product/client.ts'

type List = { content: { id: string; name: string }[] }

/** Lists every screen of the demo, with a name for its screenshot. */
export async function listScreens(client: Client): Promise<[name: string, path: string][]> {
  const findFirstId = async (path: string) => (await client<List>('GET', path)).content[0]?.id
  const scan = await findFirstId('/scans?sort=name,asc')
  const newest = (await client<{ content: { number: number }[] }>('GET', `/scans/${scan}/runs`)).content[0]!.number
  const issue = await findFirstId(`/issues?scanId=${scan}&severity=critical`)
  const page = await findFirstId(`/scans/${scan}/runs/${newest}/pages?status=failed`)
  const group = (await client<{ content: { scanGroupId: string }[] }>('GET', '/groups/scan-groups')).content[0]?.scanGroupId
  return [
    ['scans', '/scans'],
    ['scan-new', '/scans/new'],
    ['scan-edit', `/scans/${scan}/edit`],
    ['overview', `/scans/${scan}`],
    ['report', `/scans/${scan}/${newest}/report`],
    ['compare', `/scans/${scan}/${newest}/compare/${newest - 1}`],
    ['branches', `/scans/${scan}/branches`],
    ['issues', `/issues?scanId=${scan}`],
    ['issue', `/issues?scanId=${scan}&issue=${issue}`],
    ['issue-groups', `/issues?scanId=${scan}&by=rule`],
    ['issues-none', `/issues?scanId=${scan}&q=zzzz`],
    ['pages', `/pages?scanId=${scan}`],
    ['page-failed', `/pages?scanId=${scan}&view=${page}`],
    ['dashboard', '/rollup'],
    ['ignored', '/ignored'],
    ['inbox', '/inbox'],
    ['accessibility', '/accessibility'],
    ['help', '/docs'],
    ['account', '/account'],
    ['api-keys', '/api-keys'],
    ['webhooks', '/webhooks'],
    ['groups', '/admin'],
    ['group-new', '/admin/groups/new'],
    ['group-edit', `/admin/groups/${group}/edit`],
    ['presets', '/admin/presets'],
    ['preset-new', '/admin/presets/new'],
    ['scripts', '/admin/scripts'],
    ['script-new', '/admin/scripts/new'],
    ['team-access', '/admin/team-access'],
    ['assign-team', '/admin/assign-team'],
    ['assign-teams', '/admin/assign-teams'],
    ['permissions', '/admin/permissions-settings'],
    ['retention', '/admin/retention'],
    ['quotas', '/admin/quotas'],
    ['health', '/admin/health'],
    ['audit', '/admin/audit'],
    ['people', '/admin/people'],
    ['people-import', '/admin/people/import'],
    ['teams', '/admin/teams'],
    ['team-new', '/admin/teams/new'],
    ['unavailable', '/scans/00000000-0000-7000-8000-000000000000'],
  ]
}
