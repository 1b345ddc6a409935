// The frame around every view: navigation, balance and sign-out.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CallbacksView } from './callbacks/callbacks.tsx'
import { formatCount } from './format.ts'
import { ShortcutHelp } from './frame/shortcuts.tsx'
import { SignIn } from './frame/sign-in.tsx'
import { StatusBanner } from './frame/status-banner.tsx'
import { ThemeToggle } from './frame/theme-toggle.tsx'
import { toProblem } from './hooks.ts'
import { KeysView } from './keys/keys.tsx'
import { offeredModels } from './offered.ts'
import { AllTasksView } from './operator/all-tasks.tsx'
import { AuditView } from './operator/audit.tsx'
import { OperatorView } from './operator/operator.tsx'
import { Playground } from './playground/playground.tsx'
import { type Place, usePlace, useTitle } from './router.ts'
import { openSession, type Session, SessionContext, signIn, signOut, useSession } from './session.ts'
import { TaskPage } from './tasks/task-page.tsx'
import { TasksView } from './tasks/tasks.tsx'
import { Mark } from './ui/icons.tsx'
import { Empty } from './ui/parts.tsx'
import { UsageView } from './usage/usage.tsx'

type Opened = NonNullable<Awaited<ReturnType<typeof openSession>>>

export function App() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [opening, setOpening] = useState(true)
  const [reason, setReason] = useState<string | null>(null)
  const hasSignedIn = useRef(false)

  const open = useCallback(
    () =>
      openSession(() => {
        setOpened((before) => {
          if (before) setReason('Your session has ended: it expired, or its key was revoked. Sign in again.')
          return null
        })
      }),
    [],
  )
  useEffect(() => {
    open()
      .then(setOpened, (error) => {
        const { code, message } = toProblem(error)
        if (code !== 401) setReason(message)
      })
      .finally(() => setOpening(false))
  }, [open])
  const enter = useCallback(
    async (key: string, remember: boolean) => {
      await signIn(key, remember)
      const session = await open()
      // A page at another address than the service's own loses a cookie that is meant for TLS only.
      if (session === null)
        throw new Error('The browser did not keep the session: allow cookies, or open the https page.')
      hasSignedIn.current = true
      setReason(null)
      setOpened(session)
    },
    [open],
  )
  const leave = useCallback(() => {
    signOut()
    setReason(null)
    setOpened(null)
  }, [])

  if (opened) return <SignedIn opened={opened} hasSignedIn={hasSignedIn.current} leave={leave} />
  if (opening) return <main class="sign-in" aria-busy="true" />
  return <SignIn reason={reason} onKey={enter} />
}

/** `hasSignedIn`: on this page, not before it was loaded. */
function SignedIn({ opened, hasSignedIn, leave }: { opened: Opened; hasSignedIn: boolean; leave(): void }) {
  const place = usePlace()
  const main = useFocusOfPlace(place, hasSignedIn)
  const [balance, setBalance] = useState<number | null>(opened.balance)
  const refreshBalance = useCallback(() => {
    opened.api.credit().then(setBalance, () => setBalance(null))
  }, [opened])
  const [status, setStatus] = useState(opened.status)
  const { maintenance } = status
  const off = status.disabledFeatures.join('\n')
  const offer = useMemo(() => {
    const disabledFeatures = off === '' ? [] : off.split('\n')
    return { maintenance, disabledFeatures, models: offeredModels(opened.allModels, disabledFeatures) }
  }, [opened, off, maintenance])
  const session = useMemo<Session>(
    () => ({ ...opened, ...offer, balance, refreshBalance, signOut: leave }),
    [opened, offer, balance, refreshBalance, leave],
  )
  return (
    <SessionContext.Provider value={session}>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Header place={place} />
      <StatusBanner status={status} onStatus={setStatus} />
      <main ref={main} id="main" class="main" tabIndex={-1}>
        <View place={place} />
      </main>
      <ShortcutHelp />
    </SessionContext.Provider>
  )
}

/** Where the focused element was part of the page that was left, the focus moves to the next page. */
function useFocusOfPlace({ view, id }: Place, hasSignedIn: boolean) {
  const main = useRef<HTMLElement>(null)
  const wasLeft = useRef(hasSignedIn)
  useEffect(() => {
    if (wasLeft.current && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
    wasLeft.current = true
  }, [view, id])
  return main
}

type Rights = Pick<Session, 'isOperator' | 'isSubKey' | 'may'>

const views: { view: string; label: string; isFor(key: Rights): boolean }[] = [
  { view: 'play', label: 'Playground', isFor: ({ may }) => may('tasks:write') },
  { view: 'tasks', label: 'Tasks', isFor: ({ may }) => may('tasks:read') },
  { view: 'callbacks', label: 'Callbacks', isFor: ({ may, isSubKey }) => !isSubKey && may('webhooks') },
  { view: 'usage', label: 'Usage', isFor: ({ may }) => may('tasks:read') },
  { view: 'keys', label: 'Keys', isFor: ({ may, isSubKey }) => !isSubKey && may('keys') },
  { view: 'operator', label: 'Operator', isFor: ({ isOperator }) => isOperator },
  { view: 'audit', label: 'Audit', isFor: ({ isOperator }) => isOperator },
]

function Header({ place }: { place: Place }) {
  const session = useSession()
  const { balance, signOut: leave } = session
  const shown = views.filter(({ isFor }) => isFor(session))
  const home = shown[0]?.view ?? 'tasks'
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the row of views is wider than the screen.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [place.view])
  return (
    <header class="top">
      <a class="brand" href={`#/${home}`} aria-label={`Dailies, to the ${home === 'play' ? 'playground' : home}`}>
        <Mark /> <span>Dailies</span>
      </a>
      <nav ref={nav} class="nav" aria-label="Views">
        {shown.map(({ view, label }) => (
          <a key={view} href={`#/${view}`} aria-current={view === place.view ? 'page' : undefined}>
            {label}
          </a>
        ))}
        <a class="nav-docs" href="docs">
          Docs
        </a>
      </nav>
      <div class="top-end">
        <a class="balance" href="#/usage" title="Credits that this key can spend">
          <strong>{balance === null ? '–' : formatCount(balance)}</strong> <span>credits</span>
        </a>
        <a class="button bare docs-link" href="docs">
          Docs
        </a>
        <ThemeToggle />
        <button type="button" class="button bare" onClick={leave}>
          Sign out
        </button>
      </div>
    </header>
  )
}

function View({ place }: { place: Place }) {
  const session = useSession()
  const own = views.filter(({ isFor }) => isFor(session))
  const isHidden = views.some(({ view }) => view === place.view) && !own.some(({ view }) => view === place.view)
  useEffect(() => {
    // The page itself opens at the playground.
    if (isHidden && location.hash.replace(/^#\/?/, '') === '' && own[0]) location.replace(`#/${own[0].view}`)
  }, [isHidden])
  if (isHidden) return <NotForKey view={place.view} />
  if (place.view === 'tasks' && place.id !== null) return <TaskPage key={place.id} taskId={place.id} />
  switch (place.id === null ? place.view : `${place.view}/${place.id}`) {
    case 'play':
      return <Playground fromTaskId={place.query.get('from')} />
    case 'tasks':
      return <TasksView />
    case 'callbacks':
      return <CallbacksView />
    case 'usage':
      return <UsageView />
    case 'keys':
      return <KeysView />
    case 'operator':
      return <OperatorView />
    case 'operator/tasks':
      return <AllTasksView />
    case 'audit':
      return <AuditView />
    default:
      return <NoPage />
  }
}

function NotForKey({ view }: { view: string }) {
  const { isSubKey } = useSession()
  useTitle('Not for this key')
  const label = views.find((each) => each.view === view)?.label
  return (
    <>
      <h1 class="visually-hidden">{label}</h1>
      <Empty title="Not for this key">
        {isSubKey ? 'You are signed in with a sub-key' : 'You are signed in with a key'} that does not have the right to
        use this page. Sign in with another key to see it.
      </Empty>
    </>
  )
}

function NoPage() {
  const { may } = useSession()
  useTitle('Page not found')
  return (
    <>
      <h1 class="visually-hidden">Page not found</h1>
      <Empty title="There is no page here">
        The link may be incomplete. Go to{' '}
        {may('tasks:write') && (
          <>
            the <a href="#/play">playground</a> or to{' '}
          </>
        )}
        your <a href="#/tasks">tasks</a>.
      </Empty>
    </>
  )
}
