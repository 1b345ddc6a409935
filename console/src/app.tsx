// The frame around every view: who is signed in, where we are, the balance, and the way to everything else.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CallbacksView } from './callbacks/callbacks.tsx'
import { formatCount } from './format.ts'
import { toProblem } from './hooks.ts'
import { KeysView } from './keys/keys.tsx'
import { OperatorView } from './operator/operator.tsx'
import { Playground } from './playground/playground.tsx'
import { type Place, usePlace } from './router.ts'
import { forgetKey, keepKey, openSession, type Session, SessionContext, storedKey, useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { TaskPage } from './tasks/task-page.tsx'
import { TasksView } from './tasks/tasks.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { Mark } from './ui/icons.tsx'
import { Notice } from './ui/parts.tsx'
import { UsageView } from './usage/usage.tsx'

type Opened = Awaited<ReturnType<typeof openSession>>

export function App() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [opening, setOpening] = useState(storedKey() !== null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    const key = storedKey()
    if (key === null) return
    openSession(key)
      .then(setOpened, (error) => {
        const { code, message } = toProblem(error)
        if (code === 401) forgetKey()
        else setProblem(message)
      })
      .finally(() => setOpening(false))
  }, [])

  const signIn = useCallback(async (key: string) => {
    const session = await openSession(key)
    keepKey(key)
    setProblem(null)
    setOpened(session)
  }, [])
  const signOut = useCallback(() => {
    forgetKey()
    setOpened(null)
  }, [])

  if (opened) return <SignedIn opened={opened} signOut={signOut} />
  if (opening) return <main class="sign-in" aria-busy="true" />
  return (
    <>
      {problem && <Notice>{problem}</Notice>}
      <SignIn onKey={signIn} />
    </>
  )
}

function SignedIn({ opened, signOut }: { opened: Opened; signOut(): void }) {
  const place = usePlace()
  const [balance, setBalance] = useState(opened.balance)
  const refreshBalance = useCallback(() => {
    opened.api.credit().then(setBalance, () => {})
  }, [opened])
  const session = useMemo<Session>(
    () => ({ ...opened, balance, refreshBalance, signOut }),
    [opened, balance, refreshBalance, signOut],
  )
  return (
    <SessionContext.Provider value={session}>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Header place={place} />
      <main id="main" class="main" tabIndex={-1}>
        <View place={place} />
      </main>
    </SessionContext.Provider>
  )
}

const views = [
  { view: 'play', label: 'Playground' },
  { view: 'tasks', label: 'Tasks' },
  { view: 'callbacks', label: 'Callbacks' },
  { view: 'usage', label: 'Usage' },
  { view: 'keys', label: 'Keys' },
]

function Header({ place }: { place: Place }) {
  const { balance, isOperator, signOut } = useSession()
  const shown = isOperator ? [...views, { view: 'operator', label: 'Operator' }] : views
  const nav = useRef<HTMLElement>(null)
  const current = shown.find(({ view }) => view === place.view)
  useEffect(() => {
    document.title = current ? `${current.label} · Dailies` : 'Dailies'
    // On a phone the row of views is wider than the screen.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <header class="top">
      <a class="brand" href="#/play" aria-label="Dailies, to the playground">
        <Mark /> <span>Dailies</span>
      </a>
      <nav ref={nav} class="nav" aria-label="Views">
        {shown.map(({ view, label }) => (
          <a key={view} href={`#/${view}`} aria-current={view === place.view ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="top-end">
        <a class="balance" href="#/usage" title="Balance in credits">
          <strong>{formatCount(balance)}</strong> <span>credits</span>
        </a>
        <a class="button bare docs-link" href="docs">
          Docs
        </a>
        <ThemeToggle />
        <button type="button" class="button bare" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  )
}

function View({ place }: { place: Place }) {
  const { isOperator } = useSession()
  switch (place.view) {
    case 'tasks':
      return place.id === null ? <TasksView /> : <TaskPage key={place.id} taskId={place.id} />
    case 'callbacks':
      return <CallbacksView />
    case 'usage':
      return <UsageView />
    case 'keys':
      return <KeysView />
    case 'operator':
      return isOperator ? <OperatorView /> : <Notice>This key does not have the operator right.</Notice>
    default:
      return <Playground fromTaskId={place.query.get('from')} />
  }
}
