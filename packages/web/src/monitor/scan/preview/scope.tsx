import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../kit/page/states.tsx'
import { exclusionTexts, failureTexts } from '../../page/parts/failure-text.ts'
import { useSession } from '../../user/model.ts'
import styles from './scope.module.css'
import type { Previewed, ScopePreviewState, ScopePreviewBody } from './use-scope.ts'
import { useScopePreview } from './use-scope.ts'

/** How many URLs are listed before somebody asks for all. */
const few = 8

/** What a run by the settings as they are would visit and exclude, and why. */
export function ScopePreview({ body }: { body: () => Promise<ScopePreviewBody | null> }) {
  const { t } = useLingui()
  const { preview, start, stop } = useScopePreview()
  const begin = async () => {
    const what = await body()
    if (what) await start(what)
  }
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-labelledby="scope-preview">
      <div className={layout.tight}>
        <h2 id="scope-preview">{t`What would be scanned`}</h2>
        <p className={`${layout.muted} ${layout.sm}`}>
          {t`The server walks through the site for half a minute at most, without testing anything.`}
        </p>
        <div className={layout.row}>
          <Button icon="play" pending={preview.working} onPress={() => void begin()}>
            {preview.end === null ? t`Preview scope` : t`Try again`}
          </Button>
          {preview.working && <Button icon="stop" onPress={stop}>{t`Stop`}</Button>}
        </div>
      </div>
      {preview.failure !== null && (
        <ErrorCard
          title={t`The scope could not be previewed.`}
          error={preview.failure}
          onRetry={() => void begin()}
        />
      )}
      {preview.end === 'problem' && (
        <Notice kind="error" title={t`The scope could not be previewed.`}>
          <p lang="en">{preview.detail}</p>
        </Notice>
      )}
      {(preview.working || preview.urls.length > 0) && <Counts preview={preview} />}
      <WhyField body={body} />
      {preview.urls.length > 0 && <Urls all={preview.urls} />}
    </section>
  )
}

function Counts({ preview }: { preview: ScopePreviewState }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const count = (verdict: Previewed['verdict']) =>
    preview.urls.filter((one) => one.verdict === verdict).length
  const [inside, outside, failed] = [count('crawled'), count('excluded'), count('failed')]
  const more = preview.end === 'time' || preview.end === 'count'
  return (
    <>
      <dl className={styles.counts} aria-hidden="true">
        <Figure name={t`in`}>{number(inside)}</Figure>
        <Figure name={t`out`}>{number(outside)}</Figure>
        {failed > 0 && <Figure name={t`failed`}>{number(failed)}</Figure>}
      </dl>
      <p role="status" className={preview.working ? layout.hidden : layout.sm}>
        {!preview.working && t`${number(inside)} in, ${number(outside)} out, ${number(failed)} failed.`}{' '}
        {more && t`There are more: the preview ends here.`}
      </p>
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dd>{children}</dd>
      <dt>{name}</dt>
    </div>
  )
}

function WhyField({ body }: { body: () => Promise<ScopePreviewBody | null> }) {
  const { t } = useLingui()
  const { api } = useSession()
  const [url, setUrl] = useState('')
  const [missing, setMissing] = useState(false)
  const test = useMutation({
    mutationFn: async (asked: string) => {
      const what = await body()
      return what && api.testScope({ body: { ...what, url: asked } })
    },
  })
  const ask = () => {
    setMissing(url.trim() === '')
    if (url.trim() !== '') test.mutate(url.trim())
  }
  return (
    <div className={layout.tight}>
      <Field label={t`Why is this URL in or out?`} error={missing ? t`Fill in this field.` : undefined}>
        {(control) => (
          <input
            {...control}
            value={url}
            spellCheck={false}
            placeholder="https://www.example.org/basket/"
            onChange={(event) => setUrl(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Inside a form: Enter would send it.
              event.preventDefault()
              ask()
            }}
          />
        )}
      </Field>
      <div>
        <Button small pending={test.isPending} onPress={ask}>{t`Check`}</Button>
      </div>
      <div role="status">{test.data && <Verdict one={test.data} />}</div>
      {test.isError && <ErrorCard title={t`The URL could not be checked.`} error={test.error} />}
    </div>
  )
}

function Urls({ all }: { all: readonly Previewed[] }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const shown = open ? all : all.slice(0, few)
  const more = all.length - shown.length
  return (
    <div className={layout.tight}>
      <ul className={styles.addresses} aria-label={t`URLs discovered`}>
        {shown.map((one) => (
          <li key={one.url}>
            <Verdict one={one} named />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div>
          <Button small onPress={() => setOpen(true)}>
            <Plural value={more} one="Show # more" other="Show # more" />
          </Button>
        </div>
      )}
    </div>
  )
}

/** In or out, and why. */
function Verdict({ one, named = false }: { one: Previewed; named?: boolean }) {
  const { t } = useLingui()
  const { url, depth, verdict, reason, detail } = one
  const words = { crawled: t`In`, excluded: t`Out`, failed: t`Failed` }[verdict]
  const why = () => {
    if (reason === null)
      return depth === 0
        ? t`start URL`
        : t`${plural(depth, { one: '# link from the start', other: '# links from the start' })}`
    return t(
      reason in exclusionTexts
        ? exclusionTexts[reason as keyof typeof exclusionTexts]
        : failureTexts[reason as keyof typeof failureTexts].what,
    )
  }
  return (
    <div className={styles.verdict}>
      <span className={verdict === 'crawled' ? layout.good : layout.strong}>
        <Icon name={verdict === 'crawled' ? 'check' : 'close'} /> {words}
      </span>
      <div className={layout.break}>
        {named && <code translate="no">{url}</code>}
        <p className={layout.sm}>
          {why()}
          {detail && (
            <span className={layout.muted} lang="en">
              {' '}
              {detail}
            </span>
          )}
        </p>
      </div>
    </div>
  )
}
