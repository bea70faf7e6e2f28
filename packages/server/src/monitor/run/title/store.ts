import { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { listDriveRules, siteRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { buildTitleFinding, findSharedTitles, type TitledPage } from '@clearway/contract/monitor/ruleset/title/model.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { type RawBuilder, sql } from 'kysely'
import { parseStoredOrNull } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../../issue/model.ts'
import { isBannerPage, isWalled } from '../../page/table.ts'
import { cleanText, type StoreFindings } from '../outcome/store.ts'

/** Maximum number of pages of a run whose titles are reported: each is stored by itself at its end, and holds a lock until then. */
const maxReported = 500

type StoredTitle = TitledPage & { id: string; keyHash: Buffer }

/** SQL version of the contract's `normalizeTitle`. */
const normalizeSql = (title: RawBuilder<unknown>) => sql`lower(trim(regexp_replace(normalize(${title}, NFKC), '\\s+', ' ', 'g')))`

/**
 * Driven pages of a run whose title is on several pages. States of scripts share the title of their page.
 * @param only limits them to one title, on however many pages
 */
async function listTitledPages(db: MonitorDb, runId: string, only?: string): Promise<StoredTitle[]> {
  const { rows: pageRows } = await sql<Omit<StoredTitle, 'evidence'> & { evidence: unknown }>`
    select id, "keyHash", url, content, evidence
    from (select *, count(*) over (partition by title) as copies
      from (select id, key_hash as "keyHash", coalesce(final_url, url) as url, content_key as content, evidence,
          ${normalizeSql(sql`evidence ->> 'title'`)} as title
        from page p where run_id = ${runId} and status = 'completed' and driven is not null and evidence is not null
          and not ${isWalled('p')} and not ${isBannerPage('p')} and coalesce(found_on, '') not like 'script:%') titled) counted
    where ${only === undefined ? sql`copies > 1` : sql`title = ${normalizeSql(sql`${only}::text`)}`}`.execute(db)
  return pageRows.flatMap((row) => {
    const evidence = parseStoredOrNull(PageEvidence, row.evidence)
    return evidence ? [{ ...row, evidence }] : []
  })
}

const includesTitles = (ruleSet: RuleSet) => siteRules.some((rule) => listDriveRules(ruleSet.standard).some((id) => id === rule))

/**
 * Compares the titles of a run's driven pages, and stores a finding for each page that shares its title.
 * @returns ids of the reported pages. `isComplete`: no page was left out
 */
export async function storeSharedTitles(
  deps: { db: MonitorDb; storeFindings: StoreFindings },
  run: { runId: string; scanId: string; number: number },
  ruleSet: RuleSet,
): Promise<{ pageIds: string[]; isComplete: boolean }> {
  if (!includesTitles(ruleSet)) return { pageIds: [], isComplete: true }
  const sharedTitles = findSharedTitles(await listTitledPages(deps.db, run.runId))
  const reported = sharedTitles.slice(0, maxReported)
  for (const sharedTitle of reported) {
    const { id, keyHash } = sharedTitle.page
    const storedPage: StoredPage = { id, keyHash, runId: run.runId, scanId: run.scanId, runNumber: run.number }
    await deps.storeFindings(deps.db, storedPage, [buildTitleFinding(sharedTitle)], { isWhole: false })
  }
  return { pageIds: reported.map(({ page }) => page.id), isComplete: reported.length === sharedTitles.length }
}

/** The finding of a page that is visited again and shares its title with others of its run; none for a page of its own. */
export async function findSharedTitle(
  db: MonitorDb,
  { id, runId, keyHash }: StoredPage,
  outcome: Extract<PageOutcome, { kind: 'completed' }>,
  ruleSet: RuleSet,
): Promise<Finding[]> {
  const { evidence, driven, finalUrl, signature, health } = outcome
  if (!evidence || !driven || health === null || !includesTitles(ruleSet)) return []
  const titledPages = await listTitledPages(db, runId, cleanText(evidence.title))
  const ownPage: StoredTitle = { id, keyHash, url: finalUrl, content: signature?.content ?? null, evidence }
  return findSharedTitles([ownPage, ...titledPages.filter((page) => page.id !== id)])
    .filter(({ page }) => page === ownPage)
    .map(buildTitleFinding)
}
