export function PageListPage() {
  return null
}
