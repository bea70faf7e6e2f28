import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { buildDocsUrl } from '../../monitor/config/model-docs.ts'
import layout from '../../kit/page/layout.module.css'
import { PageHead } from '../../kit/page/head.tsx'
import type { DocsPart } from './part.ts'
import { docsPages } from './texts.ts'
import styles from './article.module.css'
import { adminPages } from './texts-admin.ts'
import { introductionPages } from './texts-introduction.ts'
import { workPages } from './texts-work.ts'
import { hasHelpText, getHelpMessage } from './help-texts.ts'

export function DocsContents({ productName }: { productName: string }) {
  const { t } = useLingui()
  const pageGroups = [
    { title: t`Getting started`, keys: Object.keys(introductionPages) },
    { title: t`Work with scans`, keys: Object.keys(workPages) },
    { title: t`Administration and your account`, keys: Object.keys(adminPages) },
  ]
  return (
    <>
      <PageHead title={t`Help`} productName={productName} />
      <div className={`${layout.card} ${layout.pad} ${styles.article} ${styles.contents}`}>
        {pageGroups.map(({ title, keys }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {keys.map((key) => (
                <li key={key}>
                  <Link to="/docs/$key" params={{ key }}>
                    {t(docsPages[key]!.title)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section>
          <h2>{t`Rules`}</h2>
          <ul>
            <li>
              <a href={buildDocsUrl({ helpDocsUrl: null, productName, version: '' }, 'pdf-rules')}>{t`All rules for PDFs`}</a>
            </li>
            <li>
              <a href={buildDocsUrl({ helpDocsUrl: null, productName, version: '' }, 'driven-rules')}>
                {t`All rules for tests by keyboard and mouse`}
              </a>
            </li>
          </ul>
        </section>
      </div>
    </>
  )
}

/** One page of the help. An unknown key shows the contents. */
export function DocsArticle({ productName }: { productName: string }) {
  const { t } = useLingui()
  const { key: pageKey = '' } = useParams({ strict: false })
  const docsPage = docsPages[pageKey]
  if (!docsPage) return <Navigate to="/docs" replace />
  return (
    <>
      <PageHead
        key={pageKey}
        title={t(docsPage.title)}
        productName={productName}
        crumbs={[<Link key="docs" to="/docs">{t`Help`}</Link>]}
      />
      <article className={`${layout.card} ${layout.pad} ${styles.article}`}>
        {hasHelpText(pageKey) && <p className={styles.lead}>{t(getHelpMessage(pageKey))}</p>}
        {docsPage.parts.map((part) => (
          <ArticlePart key={part.title.id} part={part} />
        ))}
        <p>
          <Link to="/docs/$key" params={{ key: 'words' }}>{t`Terms`}</Link>
          {' · '}
          <Link to="/docs/$key" params={{ key: 'roles' }}>{t`Who may do what`}</Link>
        </p>
      </article>
    </>
  )
}

function ArticlePart({ part }: { part: DocsPart }) {
  const { t } = useLingui()
  return (
    <section>
      <h2>{t(part.title)}</h2>
      {part.kind === 'terms' ? (
        <dl>
          {part.items.map(({ name, text }) => (
            <div key={name.id}>
              <dt>{t(name)}</dt>
              <dd>{t(text)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <ArticleItems ordered={part.kind === 'steps'} items={part.items} />
      )}
    </section>
  )
}

function ArticleItems({ ordered: isOrdered, items }: { ordered: boolean; items: readonly MessageDescriptor[] }) {
  const { t } = useLingui()
  const listItems = items.map((item) => <li key={item.id}>{t(item)}</li>)
  return isOrdered && items.length > 1 ? <ol>{listItems}</ol> : <ul>{listItems}</ul>
}
