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
import { pageFoldersQuery } from '../queries.ts'
import styles from './tree.module.css'

const shownImpacts = ['critical', 'serious', 'moderate'] as const

/** The pages of the list by folder of their URLs, each folder with its number of pages, score and worst issues. */
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

/** A folder that opens to show the folders in it. Its name leads to its pages. */
function FolderItem({ folder, parent, search, isFirstOpen }: FolderItemProps) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(isFirstOpen)
  const levelId = useId()
  const { path, hasFolders } = folder
  const name = path === null ? t`Pages in this folder itself` : toReadableUrl(path.slice(parent.length))
  return (
    <li>
      <div className={styles.row}>
        {hasFolders && path !== null ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={levelId}
            aria-label={t`Folders in ${name}`}
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
        <FolderFigures folder={folder} />
      </div>
      <div id={levelId}>{isOpen && path !== null && <FolderLevel search={search} parent={path} />}</div>
    </li>
  )
}

function FolderFigures({ folder: { pages: totalCount, score, openIssues } }: { folder: PageFolder }) {
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
