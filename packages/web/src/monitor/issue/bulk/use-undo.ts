import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { useIssueBulk } from '../queries-change.ts'

/** Reverts a bulk change and names the issues that others have changed since. */
export function useUndoBulkChange() {
  const { t, i18n } = useLingui()
  const showToast = useToast()
  const { undo: undoMutation } = useIssueBulk()
  const getRuleTitle = useRuleTitle(i18n.locale)
  return (id: string, onProgress: (doneCount: number) => void = () => undefined) =>
    // Also works after navigation to another screen.
    undoMutation.mutateAsync({ undo: id, onProgress }).then(
      ({ restored, left: skippedCount, named: skippedIssues }) => {
        const restoredText = t`${plural(restored, { one: '# issue restored.', other: '# issues restored.' })}`
        if (skippedCount === 0) return showToast('confirmation', restoredText)
        const names = [...new Set(skippedIssues.map(({ rule }) => getRuleTitle(rule, rule)))].join(', ')
        const skippedText =
          names === ''
            ? t`${plural(skippedCount, {
                one: '# was changed or deleted since and was not restored.',
                other: '# were changed or deleted since and were not restored.',
              })}`
            : t`${plural(skippedCount, {
                one: `# was changed or deleted since and was not restored: ${names}.`,
                other: `# were changed or deleted since and were not restored: ${names}.`,
              })}`
        showToast('caution', `${restoredText} ${skippedText}`)
      },
      (error: unknown) => {
        const errorMessage = t(getProblemMessage(error))
        showToast('error', t`Error while trying to undo: ${errorMessage}`, { error })
      },
    )
}
