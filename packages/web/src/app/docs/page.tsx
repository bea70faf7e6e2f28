import { useSession } from '../../monitor/user/model.ts'
import { DocsArticle, DocsContents } from './article.tsx'

export function DocsContentsPage() {
  return <DocsContents productName={useSession().config.productName} />
}

export function DocsPage() {
  return <DocsArticle productName={useSession().config.productName} />
}
