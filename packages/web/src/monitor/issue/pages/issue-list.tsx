export function IssueListPage() {
  return null
}
