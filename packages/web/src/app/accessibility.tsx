import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import layout from '../kit/page/layout.module.css'
import { PageHead } from '../kit/page/head.tsx'
import { useSession } from '../monitor/user/model.ts'

/** /accessibility: conformance statement of the product, known gaps and contact. */
export function AccessibilityPage(): ReactNode {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  return (
    <>
      <PageHead title={t`Accessibility statement`} productName={appConfig.productName} />
      <div className={`${layout.card} ${layout.pad} ${layout.stack}`}>
        <StatementSection title={t`Goal`}>
          <p>{t`Every screen is meant to meet WCAG 2.2 at level AA.`}</p>
        </StatementSection>
        <StatementSection title={t`How it is checked`}>
          <p>{t`The developers test the main screens with axe-core, by keyboard alone, at a width of 320 pixels, and in light and dark themes.`}</p>
          <p>{t`There has been no external audit yet.`}</p>
        </StatementSection>
        <StatementSection title={t`What is not yet met`}>
          <p>{t`Messages of axe-core that it has not translated are in English.`}</p>
          <p>{t`Pictures of elements and sources of pages come from the tested sites, and have the same barriers.`}</p>
        </StatementSection>
        <StatementSection title={t`How to report a barrier`}>
          <p>{t`Tell your administrator which screen it is, what you tried to do, and which browser and assistive technology you use.`}</p>
          {appConfig.supportUrl && (
            <p>
              <a href={appConfig.supportUrl}>{t`Report it to support`}</a>
            </p>
          )}
        </StatementSection>
      </div>
    </>
  )
}

function StatementSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={layout.tight}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
