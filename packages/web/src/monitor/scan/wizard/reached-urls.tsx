import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { type ReachedUrl, requesterDependentStatuses } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import type * as z from 'zod/mini'
import { useDebouncedValue } from '../../../kit/client/use-debounced-value.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { failureTexts } from '../../page/parts/reason-text.ts'
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

const suggestionsId = 'url-suggestions'
/** True while the focus is in the field of the start URLs, or on a suggestion below it. */
const isEditingUrls = (): boolean =>
  document.activeElement?.id === 'urls' || document.activeElement?.closest(`#${suggestionsId}`) != null

function useIsEditingUrls(): boolean {
  const [isEditing, setIsEditing] = useState(isEditingUrls)
  useEffect(() => {
    const onFocusChange = () => setIsEditing(isEditingUrls())
    // On `focusout`, the next element does not have the focus yet.
    const onFocusOut = () => setTimeout(onFocusChange)
    document.addEventListener('focusin', onFocusChange)
    document.addEventListener('focusout', onFocusOut)
    return () => {
      document.removeEventListener('focusin', onFocusChange)
      document.removeEventListener('focusout', onFocusOut)
    }
  }, [])
  return isEditing
}

/** Shows the response of typed start URLs. After leaving the field, a missing scheme becomes the one that responded. */
export function ReachedUrls({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const currentText = watch('urls').join('\n')
  const debouncedText = useDebouncedValue(currentText, debounceMs)
  // Skips URLs that were already saved and URLs that were removed since.
  const initialUrls = new Set(scanId === null ? [] : formState.defaultValues?.urls)
  const isEditing = useIsEditingUrls()
  const queryClient = useQueryClient()
  const currentUrls = new Set(splitLines(currentText))
  const checkedUrls = [...new Set(splitLines(debouncedText))]
    .filter((line) => isCompleteUrl(line) && currentUrls.has(line) && !initialUrls.has(line))
    .slice(0, maxCheckedUrls)
  const checkResults = useQueries({ queries: checkedUrls.map((typedUrl) => reachQuery(apiClient, typedUrl, scanId)) })
  const pendingUrls = checkedUrls.filter((_, index) => checkResults[index]?.isFetching)
  /** The URL without scheme that was replaced by this one; undefined for others, and for https. */
  const findTypedUrl = (url: string) => {
    const bareUrl = /^http:\/\/(.*?)\/?$/i.exec(url)?.[1]
    const candidates = bareUrl === undefined ? [] : [bareUrl, `${bareUrl}/`]
    return candidates.find((typed) => queryClient.getQueryData(reachQuery(apiClient, typed, scanId).queryKey)?.url === url)
  }
  const acceptUrl = (typedUrl: string, url: string) => {
    const newLines = splitLines(currentText).map((line) => (line === typedUrl ? url : line))
    setValue('urls', newLines, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
  }
  const correctedIndex = checkedUrls.findIndex((typed, index) => !hasScheme(typed) && checkResults[index]?.data?.url)
  const correctUrl = useEffectEvent(() => acceptUrl(checkedUrls[correctedIndex]!, checkResults[correctedIndex]!.data!.url!))
  useEffect(() => {
    if (!isEditing && correctedIndex >= 0) correctUrl()
  }, [isEditing, correctedIndex])
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
        {[...currentUrls].map((url) => {
          const typed = findTypedUrl(url)
          return typed && <p key={url}>{t`${typed} does not answer by https. The scan uses http.`}</p>
        })}
      </div>
      <div id={suggestionsId}>
        {checkedUrls.map((typed, index) => {
          const correctedUrl = checkResults[index]?.data?.url
          if (!correctedUrl || hasScheme(typed)) return null
          return (
            <div key={typed}>
              <Button
                small
                onPress={() => {
                  acceptUrl(typed, correctedUrl)
                  // The button disappears with the corrected URL.
                  document.getElementById('urls')?.focus()
                }}
              >{t`Use ${correctedUrl}`}</Button>
            </div>
          )
        })}
      </div>
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
