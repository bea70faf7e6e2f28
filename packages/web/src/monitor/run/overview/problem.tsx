import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { noticeTexts } from '../../page/parts/failure-text.ts'
import { runProblemTexts } from './problem-text.ts'
import type { Overview } from '../queries.ts'

/** Why a run failed or could not look at everything, and what to change. */
export function RunProblemNotice({ run, canEdit }: { run: Overview; canEdit: boolean }) {
  const { t } = useLingui()
  if (!run.problem) return null
  const { what, remedy } = runProblemTexts[run.problem]
  const failed = run.status === 'failed'
  return (
    <Notice
      kind={failed ? 'error' : 'caution'}
      title={failed ? t`Run ${run.number} failed` : t`Run ${run.number} could not test everything`}
    >
      <p>{t(what)}</p>
      {run.problemDetail && (
        <p className={layout.break}>
          <code lang="en" translate="no">
            {run.problemDetail}
          </code>
        </p>
      )}
      <p>{t(remedy)}</p>
      {canEdit && (
        <p>
          <Link
            to="/scans/$scanId/edit"
            params={{ scanId: run.scanId }}
          >{t`Change the settings of the scan`}</Link>
        </p>
      )}
    </Notice>
  )
}

/** That the browser of the run has few fonts. */
export function RunFontsNotice({ run }: { run: Pick<Overview, 'limitedFonts'> }) {
  const { t } = useLingui()
  return run.limitedFonts && <Notice kind="caution" title={t(noticeTexts['embedded-browser-fonts'])} />
}

/** That unchanged pages cannot be relied on, and since which page. */
export function RunReuseNotice({ run }: { run: Overview }) {
  const { t } = useLingui()
  const { fault } = run.reuse
  if (fault === null) return null
  return (
    <Notice kind="caution" title={t`An unchanged page had different results`}>
      <p className={layout.break}>
        <code translate="no">{fault}</code>
      </p>
      <p>{t`All pages are tested again until you save the scan.`}</p>
    </Notice>
  )
}
