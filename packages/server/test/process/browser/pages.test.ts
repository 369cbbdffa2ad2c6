import { testAccounts } from './accounts-suite.ts'
import { testApiPage } from './api-page-suite.ts'
import { testConsole } from './console-suite.ts'
import { useSite } from './pages.ts'
import { testPublicPage } from './public-page-suite.ts'
import { testSignIn } from './sign-in-suite.ts'

// One service and one browser for all.

const site = useSite()
testPublicPage(site)
testApiPage(site)
testSignIn(site)
testAccounts(site)
testConsole(site)
