import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { type ReachedUrl, statusesOfWho } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useQueries } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import type * as z from 'zod/mini'
import { useDebouncedValue } from '../../../kit/client/use-after-pause.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { failureTexts } from '../../page/parts/failure-text.ts'
import { useSession } from '../../user/model.ts'
import { lines, type ScanForm } from '../form/values.ts'
import { reachQuery } from '../queries.ts'

const pauseMs = 700
/** URLs that are asked for; who has more has pasted them from somewhere. */
const mostAsked = 3

const hasScheme = (line: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(line)
/** Not yet while the host is half typed. */
function isWhole(line: string): boolean {
  const url = URL.parse(hasScheme(line) ? line : `https://${line}`)
  return url !== null && /^https?:$/.test(url.protocol) && /[.:]|^localhost$/.test(url.host)
}

/** What answers at the start URLs, said while one types on. Whoever left the scheme out takes the one that answered. */
export function ReachedUrls({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const now = watch('urls')
  const paused = useDebouncedValue(now, pauseMs)
  // Those that were there before are known; those that are no longer there concern nobody.
  const opened = new Set(lines(formState.defaultValues?.urls ?? ''))
  const still = new Set(lines(now))
  const asked = [...new Set(lines(paused))]
    .filter((line) => isWhole(line) && still.has(line) && !opened.has(line))
    .slice(0, mostAsked)
  const answers = useQueries({ queries: asked.map((typed) => reachQuery(api, typed, scanId)) })
  const waiting = asked.filter((_, index) => answers[index]?.isFetching)
  const take = (typed: string, url: string) => {
    const next = lines(now).map((line) => (line === typed ? url : line))
    setValue('urls', next.join('\n'), { shouldDirty: true, shouldTouch: true, shouldValidate: true })
    // The button goes with what it corrected.
    document.getElementById('urls')?.focus()
  }
  return (
    <>
      {waiting.map((typed) => (
        <p key={typed} className={`${layout.sm} ${layout.muted}`}>{t`Checking ${typed}…`}</p>
      ))}
      <div role="status" aria-atomic={false} className={`${layout.sm} ${layout.tight}`}>
        {asked.map((typed, index) => {
          const reached = answers[index]?.data
          return reached && <Reached key={typed} typed={typed} reached={reached} />
        })}
      </div>
      {asked.map((typed, index) => {
        const url = answers[index]?.data?.url
        if (!url || hasScheme(typed)) return null
        return (
          <div key={typed}>
            <Button small onPress={() => take(typed, url)}>{t`Use ${url}`}</Button>
          </div>
        )
      })}
    </>
  )
}

type Props = { typed: string; reached: z.output<typeof ReachedUrl> }

function Reached({ typed, reached }: Props) {
  const { t } = useLingui()
  const { url, leadsTo, status, reason } = reached
  if (url === null) {
    // What is no URL is said at the field.
    if (reason === null || reason === 'bad-url') return null
    const why = t(failureTexts[reason].what)
    return (
      <p className={layout.line}>
        <Icon name="warning" />
        <span className={layout.break}>{t`${typed} does not answer: ${why}.`}</span>
      </p>
    )
  }
  const isRefused = status !== null && status >= 400 && !statusesOfWho.includes(status)
  return (
    <p className={layout.line}>
      <Icon name={isRefused ? 'warning' : 'check'} />
      <span className={layout.break}>
        {isRefused
          ? t`${url} answers with HTTP status ${status}.`
          : leadsTo === null
            ? t`${url} answers.`
            : t`${url} answers, and leads to ${leadsTo}.`}
      </span>
    </p>
  )
}
