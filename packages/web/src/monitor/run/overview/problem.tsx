import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { noticeTexts } from '../../page/parts/reason-text.ts'
import { pageViewQuery } from '../../page/queries.ts'
import { useSession } from '../../user/model.ts'
import { StartFailureReasons, StartUrlFix } from './start-url-fix.tsx'
import { runProblemTexts } from './problem-text.ts'
import type { RunOverviewData } from '../queries.ts'
import styles from './problem.module.css'

/** The server's words about a problem, in English. */
function ProblemDetails({ text }: { text: string | null }) {
  const { t } = useLingui()
  if (!text) return null
  return (
    <details className={layout.sm}>
      <summary>{t`Technical details`}</summary>
      <code lang="en" translate="no" className={layout.break}>
        {text}
      </code>
    </details>
  )
}

/** Explains why an unfinished run waits. */
export function RunWaitNotice({ run }: { run: Pick<RunOverviewData, 'number' | 'status' | 'problem' | 'problemDetail'> }) {
  const { t } = useLingui()
  if (!run.problem || !isActiveStatus(run.status)) return null
  return (
    <Notice kind="caution" title={t`Run ${run.number} waits`}>
      <p>{t(runProblemTexts[run.problem].what)}</p>
      <p>{t`An administrator has to solve this within a day. Then the run continues by itself.`}</p>
      <ProblemDetails text={run.problemDetail} />
    </Notice>
  )
}

/** Warns while no page of a run could be tested: it will hardly succeed. */
export function RunFailingNotice({ run, canEdit }: { run: RunOverviewData; canEdit: boolean }) {
  const { t } = useLingui()
  const { completed, failed: failedCount } = run.pages
  if (!isActiveStatus(run.status) || completed > 0 || failedCount === 0) return null
  return (
    <Notice
      kind="caution"
      title={t`${plural(failedCount, { one: 'The first page could not be tested', other: 'The first # pages could not be tested' })}`}
    >
      <StartFailureReasons key={failedCount} run={run} hasRemedy />
      {canEdit && (
        <p>
          <Link to="/scans/$scanId/edit" params={{ scanId: run.scanId }}>{t`Change the settings of the scan`}</Link>
        </p>
      )}
    </Notice>
  )
}

/** Explains why a run failed or is incomplete, and the remedy. */
export function RunProblemNotice({ run, canEdit }: { run: RunOverviewData; canEdit: boolean }) {
  const { t } = useLingui()
  if (!run.problem || isActiveStatus(run.status)) return null
  const { what: problemText, remedy: remedyText } = runProblemTexts[run.problem]
  const isFailed = run.status === 'failed'
  return (
    <Notice
      kind={isFailed ? 'error' : 'caution'}
      title={isFailed ? t`Run ${run.number} failed` : t`Run ${run.number} could not test everything`}
    >
      <p>{t(problemText)}</p>
      {run.problem === 'start-urls-failed' && (
        <>
          <StartFailureReasons run={run} />
          {isFailed && canEdit && <StartUrlFix run={run} />}
        </>
      )}
      <p>{t(remedyText)}</p>
      <ProblemDetails text={run.problemDetail} />
      {canEdit && (
        <p>
          <Link to="/scans/$scanId/edit" params={{ scanId: run.scanId }}>{t`Change the settings of the scan`}</Link>
        </p>
      )}
    </Notice>
  )
}

/** Warns that issues disappeared with the content of their pages, and since which page. They stay open until a later run shows the same. */
export function RunUnconfirmedNotice({ run }: { run: Pick<RunOverviewData, 'unconfirmed'> }) {
  const { t } = useLingui()
  const { unconfirmed } = run
  if (!unconfirmed) return null
  const disappearedCount = unconfirmed.issues
  return (
    <Notice kind="caution" title={t`Issues disappeared, and are not confirmed as fixed`}>
      {unconfirmed.sinceUrl !== null && (
        <p className={layout.break}>
          <code translate="no">{unconfirmed.sinceUrl}</code>
        </p>
      )}
      <p>
        <Plural
          value={disappearedCount}
          one="# issue disappeared with the content of its page."
          other="# issues disappeared with the content of their pages."
        />
      </p>
      <p>{t`The pages look different from the last run. Until the next run shows the same, the issues stay open, and these pages are not part of the score.`}</p>
      {unconfirmed.pageId !== null && unconfirmed.previousPageId !== null && (
        <div className={styles.pair}>
          <PagePicture pageId={unconfirmed.previousPageId} caption={t`Before`} />
          <PagePicture pageId={unconfirmed.pageId} caption={t`Now`} />
        </div>
      )}
    </Notice>
  )
}

/** First picture of a page with its caption; nothing if there is none. */
function PagePicture({ pageId, caption }: { pageId: PageId; caption: string }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const pictureResult = useQuery({ ...pageViewQuery(apiClient, pageId, 1), retry: false })
  if (!pictureResult.data) return null
  return (
    <figure>
      <img src={pictureResult.data.src} alt={t`What the page looked like`} />
      <figcaption>{caption}</figcaption>
    </figure>
  )
}

/** Warns that the run's browser has few fonts. */
export function RunFontsNotice({ run }: { run: Pick<RunOverviewData, 'limitedFonts'> }) {
  const { t } = useLingui()
  return run.limitedFonts && <Notice kind="caution" title={t(noticeTexts['embedded-browser-fonts'])} />
}

/** Warns of common components whose selectors match nothing: their issues are not grouped. */
export function RunComponentsNotice({ run }: { run: Pick<RunOverviewData, 'missingComponents'> }) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  if (run.missingComponents.length === 0) return null
  return (
    <Notice kind="caution" title={t`Common components are on no page`}>
      <p className={layout.break}>{formatList(run.missingComponents)}</p>
      <p>{t`Their selectors match nothing. Correct them in the settings of the scan, or remove the components.`}</p>
    </Notice>
  )
}

/** Warns that unchanged pages cannot be reused, and since which page. */
export function RunReuseNotice({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { fault: reuseFault } = run.reuse
  if (reuseFault === null) return null
  return (
    <Notice kind="caution" title={t`An unchanged page had different results`}>
      <p className={layout.break}>
        <code translate="no">{reuseFault}</code>
      </p>
      <p>{t`All pages are tested again until you save the scan.`}</p>
    </Notice>
  )
}
