import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import layout from './layout.module.css'
import { PageHead } from './head.tsx'
import { EmptyState } from './states.tsx'

type AccessDeniedProps = {
  productName: string
  crumbs: readonly ReactNode[]
  /** The denied action, as the start of a sentence. */
  title: string
  /** Explains how to get access. */
  children: ReactNode
}

/** Replaces an existing screen that the user may not access. */
export function AccessDenied({ productName, crumbs, title, children }: AccessDeniedProps) {
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
