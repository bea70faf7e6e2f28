/** Answers to results that need review. The verdict itself is `marked`; results that were marked as issues have an answer. */
export const reviewAnswers: readonly string[] = [
  `alter table issue add column review text, add column review_reason text, add column reviewed_by text,
    add column reviewed_at timestamptz`,
  `update issue set review = 'issue' where marked`,
  `drop trigger issue_updated on issue`,
  `create trigger issue_updated before update on issue for each row when (
    (old.status, old.presence, old.severity, old.marked, old.review, old.review_reason, old.assigned_to, old.remediation,
      old.ticket_url, old.labels, old.component, old.ignore_id)
    is distinct from (new.status, new.presence, new.severity, new.marked, new.review, new.review_reason, new.assigned_to,
      new.remediation, new.ticket_url, new.labels, new.component, new.ignore_id))
    execute function set_issue_updated()`,
]
