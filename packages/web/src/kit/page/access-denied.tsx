import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import layout from './layout.module.css'
import { PageHead } from './head.tsx'
import { EmptyState } from './states.tsx'

type Props = {
  productName: string
  crumbs: readonly ReactNode[]
  /** What the reader may not do, as a sentence's start. */
  title: string
  /** Whom to ask. */
  children: ReactNode
}

/** In place of a screen that there is, but not for this reader. */
export function AccessDenied({ productName, crumbs, title, children }: Props) {
  const { t } = useLingui()
  return (
    <>
      <PageHead title={t`Access denied`} productName={productName} crumbs={crumbs} />
      <div className={layout.card}>
        <EmptyState title={title}>{children}</EmptyState>
      </div>
    </>
  )
}
