import { Plural, useLingui } from '@lingui/react/macro'
import type { PageFolder } from '@clearway/contract/monitor/page/schema.ts'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { PageSearch } from '../model.ts'
import { getReasonText, isExclusion } from '../parts/reason-text.ts'
import { pageFoldersQuery, pageTemplatesQuery } from '../queries.ts'
import styles from './tree.module.css'

const shownImpacts = ['critical', 'serious', 'moderate'] as const

/** The URLs of the list by folder, each with its tested pages, their score, worst issues and templates, and what was not tested. */
export function PageFolderTree({ search }: { search: PageSearch }) {
  const { t } = useLingui()
  return (
    <section className={`${layout.card} ${styles.tree}`} aria-label={t`Pages by folder`}>
      <FolderLevel search={search} parent="" />
    </section>
  )
}

function FolderLevel({ search, parent }: { search: PageSearch; parent: string }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const folders = useQuery(pageFoldersQuery(apiClient, search, parent))
  const remainingCount = folders.data ? folders.data.page.totalElements - folders.data.content.length : 0
  return (
    <>
      <QueryState query={folders} loadingLabel={t`Loading`} failureTitle={t`The folders could not be loaded.`} lines={2} />
      {folders.data?.content.length === 0 && (
        <EmptyState title={t`No page matches`}>
          <p>{t`No pages match these filters.`}</p>
        </EmptyState>
      )}
      <ul className={parent === '' ? undefined : styles.level}>
        {folders.data?.content.map((folder) => (
          <FolderItem
            key={folder.path}
            folder={folder}
            parent={parent}
            search={search}
            isFirstOpen={parent === '' && folders.data.content.length === 1}
          />
        ))}
        {remainingCount > 0 && (
          <li className={`${layout.muted} ${styles.row}`}>
            <Plural value={remainingCount} one="# more folder. Search to find it." other="# more folders. Search to find them." />
          </li>
        )}
      </ul>
    </>
  )
}

type FolderItemProps = { folder: PageFolder; parent: string; search: PageSearch; isFirstOpen: boolean }

/** A folder that opens to show the folders in it, or else the templates of its pages. Its name leads to its pages. */
function FolderItem({ folder, parent, search, isFirstOpen }: FolderItemProps) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(isFirstOpen)
  const levelId = useId()
  const { path, hasFolders, tested: testedCount } = folder
  const name = path === null ? t`Pages in this folder itself` : toReadableUrl(path.slice(parent.length))
  const placeName = path === null ? toReadableUrl(parent) : name
  const place = path ?? parent
  const canOpen = hasFolders || (testedCount > 0 && place !== '')
  return (
    <li>
      <div className={styles.row}>
        {canOpen ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={levelId}
            aria-label={hasFolders ? t`Folders in ${placeName}` : t`Templates in ${placeName}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'up' : 'down'} />
          </button>
        ) : (
          <span className={styles.toggle} />
        )}
        {path === null ? (
          <span className={`${styles.name} ${layout.muted}`}>{name}</span>
        ) : (
          <Link className={`${styles.name} ${layout.break}`} to="/pages" search={{ ...search, by: '', page: 1, q: path }}>
            {name}
          </Link>
        )}
        <Figures row={{ ...folder, pages: testedCount }} />
        <UntestedUrls folder={folder} search={search} />
      </div>
      <div id={levelId}>
        {isOpen &&
          canOpen &&
          (hasFolders ? <FolderLevel search={search} parent={place} /> : <TemplateLevel search={search} parent={place} />)}
      </div>
    </li>
  )
}

/** URLs of a folder without a result, by the reason. Each leads to the list of these; no list has the URLs of the folder itself. */
function UntestedUrls({ folder, search }: { folder: PageFolder; search: PageSearch }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  if (folder.untested.length === 0) return null
  const getFilters = (reason: PageFolder['untested'][number]['reason']): Partial<PageSearch> =>
    isExclusion(reason) ? { tab: 'excluded', exclusion: [reason] } : { tab: 'failed', failure: [reason] }
  return (
    <ul className={`${styles.untested} ${layout.muted}`} aria-label={t`Not tested`}>
      {folder.untested.map(({ reason, urls }) => {
        const figure = (
          <>
            {t(getReasonText(reason))} <b>{formatNumber(urls)}</b>
          </>
        )
        return (
          <li key={reason}>
            {folder.path === null ? (
              figure
            ) : (
              <Link to="/pages" search={{ ...search, ...getFilters(reason), by: '', sort: 'url,asc', page: 1, q: folder.path }}>
                {figure}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Templates of the tested pages in a folder itself. */
function TemplateLevel({ search, parent }: { search: PageSearch; parent: string }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const templates = useQuery(pageTemplatesQuery(apiClient, search, parent))
  const remainingCount = templates.data ? templates.data.page.totalElements - templates.data.content.length : 0
  return (
    <>
      <QueryState query={templates} loadingLabel={t`Loading`} failureTitle={t`The templates could not be loaded.`} lines={2} />
      <ul className={styles.level}>
        {templates.data?.content.map((row) => (
          <li key={row.template} className={styles.row}>
            <span className={styles.toggle} />
            <span className={styles.name}>
              <Link className={layout.break} to="/pages" search={{ ...search, view: row.example.id }}>
                {row.example.title || toReadableUrl(row.example.url)}
              </Link>
              <span className={`${layout.muted} ${layout.sm} ${styles.hint}`}>
                {row.template === null ? t`Pages of unknown structure` : t`Template, with an example`}
              </span>
            </span>
            <Figures row={row} />
          </li>
        ))}
        {remainingCount > 0 && (
          <li className={`${layout.muted} ${styles.row}`}>
            <Plural value={remainingCount} one="# more template" other="# more templates" />
          </li>
        )}
      </ul>
    </>
  )
}

type FigureRow = Pick<PageFolder, 'pages' | 'score' | 'openIssues'>

function Figures({ row: { pages: totalCount, score, openIssues } }: { row: FigureRow }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const points = score === null ? null : formatNumber(toScorePoints(score))
  return (
    <span className={styles.figures}>
      <span className={styles.figure}>
        <Plural value={totalCount} one="# page" other="# pages" />
      </span>
      <span className={`${styles.figure} ${layout.strong}`}>{points === null ? t`No score` : t`Score ${points}`}</span>
      <span className={styles.signs}>
        {shownImpacts.map(
          (impact) =>
            openIssues[impact] > 0 && (
              <SignLabel key={impact} sign={impact}>
                {formatNumber(openIssues[impact])}
              </SignLabel>
            ),
        )}
      </span>
    </span>
  )
}
