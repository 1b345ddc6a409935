// The two pages of operators beside the audit log.

const pages = [
  { page: 'overview', href: '#/operator', label: 'Overview' },
  { page: 'tasks', href: '#/operator/tasks', label: 'All tasks' },
] as const

export function OperatorTabs({ current }: { current: (typeof pages)[number]['page'] }) {
  return (
    <nav class="tabs" aria-label="Operator pages">
      {pages.map(({ page, href, label }) => (
        <a key={page} class="tab" href={href} aria-current={page === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
