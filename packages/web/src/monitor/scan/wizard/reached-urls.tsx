import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { type ReachedUrl, requesterDependentStatuses } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useQueries } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import type * as z from 'zod/mini'
import { useDebouncedValue } from '../../../kit/client/use-debounced-value.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { failureTexts } from '../../page/parts/failure-text.ts'
import { useSession } from '../../user/model.ts'
import { splitLines, type ScanForm } from '../form/values.ts'
import { reachQuery } from '../queries.ts'

const debounceMs = 700
/** Maximum number of checked URLs; longer lists were usually pasted. */
const maxCheckedUrls = 3

const hasScheme = (line: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(line)
/** Returns false while the host is incomplete. */
function isCompleteUrl(line: string): boolean {
  const parsedUrl = URL.parse(hasScheme(line) ? line : `https://${line}`)
  return parsedUrl !== null && /^https?:$/.test(parsedUrl.protocol) && /[.:]|^localhost$/.test(parsedUrl.host)
}

/** Shows the response of start URLs during typing. For a URL without scheme, the user can accept the one that responded. */
export function ReachedUrls({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const currentText = watch('urls').join('\n')
  const debouncedText = useDebouncedValue(currentText, debounceMs)
  // Skips URLs that were already saved and URLs that were removed since.
  const initialUrls = new Set(formState.defaultValues?.urls)
  const currentUrls = new Set(splitLines(currentText))
  const checkedUrls = [...new Set(splitLines(debouncedText))]
    .filter((line) => isCompleteUrl(line) && currentUrls.has(line) && !initialUrls.has(line))
    .slice(0, maxCheckedUrls)
  const checkResults = useQueries({ queries: checkedUrls.map((typedUrl) => reachQuery(apiClient, typedUrl, scanId)) })
  const pendingUrls = checkedUrls.filter((_, index) => checkResults[index]?.isFetching)
  const acceptUrl = (typedUrl: string, url: string) => {
    const newLines = splitLines(currentText).map((line) => (line === typedUrl ? url : line))
    setValue('urls', newLines, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
    // The button disappears with the corrected URL.
    document.getElementById('urls')?.focus()
  }
  return (
    <>
      {pendingUrls.map((typed) => (
        <p key={typed} className={`${layout.sm} ${layout.muted}`}>{t`Checking ${typed}…`}</p>
      ))}
      <div role="status" aria-atomic={false} className={`${layout.sm} ${layout.tight}`}>
        {checkedUrls.map((typed, index) => {
          const reachedUrl = checkResults[index]?.data
          return reachedUrl && <ReachedUrlResult key={typed} typedUrl={typed} result={reachedUrl} />
        })}
      </div>
      {checkedUrls.map((typed, index) => {
        const correctedUrl = checkResults[index]?.data?.url
        if (!correctedUrl || hasScheme(typed)) return null
        return (
          <div key={typed}>
            <Button small onPress={() => acceptUrl(typed, correctedUrl)}>{t`Use ${correctedUrl}`}</Button>
          </div>
        )
      })}
    </>
  )
}

type ReachedProps = { typedUrl: string; result: z.output<typeof ReachedUrl> }

function ReachedUrlResult({ typedUrl, result }: ReachedProps) {
  const { t } = useLingui()
  const { url: reachedUrl, leadsTo, status: httpStatus, reason: failureReason } = result
  if (reachedUrl === null) {
    // The field itself reports an invalid URL.
    if (failureReason === null || failureReason === 'bad-url') return null
    const failureText = t(failureTexts[failureReason].what)
    return (
      <p className={layout.line}>
        <Icon name="warning" />
        <span className={layout.break}>{t`${typedUrl} does not answer: ${failureText}.`}</span>
      </p>
    )
  }
  const isRefused = httpStatus !== null && httpStatus >= 400 && !requesterDependentStatuses.includes(httpStatus)
  return (
    <p className={layout.line}>
      <Icon name={isRefused ? 'warning' : 'check'} />
      <span className={layout.break}>
        {isRefused
          ? t`${reachedUrl} answers with HTTP status ${httpStatus}.`
          : leadsTo === null
            ? t`${reachedUrl} answers.`
            : t`${reachedUrl} answers, and leads to ${leadsTo}.`}
      </span>
    </p>
  )
}
