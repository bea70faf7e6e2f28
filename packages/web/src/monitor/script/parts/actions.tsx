import { useLingui } from '@lingui/react/macro'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import layout from '../../../kit/page/layout.module.css'
import { buildDocsUrl } from '../../config/model-docs.ts'
import { useSession } from '../../user/model.ts'
import { actionExamples, scriptExamples } from './example.ts'
import styles from './text-field.module.css'
import { actionDescriptions } from './labels.ts'

export function ScriptActions({ type }: { type: ScriptType }) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  return (
    <details className={styles.actions}>
      <summary>{t`What a script can do`}</summary>
      <div className={layout.stack}>
        <dl>
          {actionExamples.map(({ does, example }) => (
            <div key={does}>
              <dt>{t(actionDescriptions[does])}</dt>
              <dd>
                <code translate="no">{example}</code>
              </dd>
            </div>
          ))}
        </dl>
        <p>{t`Identify an element by CSS, by XPath, or by the frames that lead to it: ["iframe", "#inside"]. The run replaces a name in angle brackets, such as <PASSWORD>, with the value of that variable.`}</p>
        <div className={layout.tight}>
          <p className={layout.strong}>{t`A whole script`}</p>
          <pre className={styles.example} translate="no" role="group" aria-label={t`A whole script`} tabIndex={0}>
            {scriptExamples[type]}
          </pre>
        </div>
        <p>
          <a href={buildDocsUrl(appConfig, 'scripts')} target="_blank" rel="noreferrer">
            {t`More about scripts in the help (opens a new tab)`}
          </a>
        </p>
      </div>
    </details>
  )
}
