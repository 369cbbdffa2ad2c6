import { testConsole } from './console-suite.ts'
import { useSite } from './pages.ts'
import { testPublicPage } from './public-page-suite.ts'

// One service and one browser for both.

const site = useSite()
testPublicPage(site)
testConsole(site)
