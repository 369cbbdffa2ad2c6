import { useSite } from './pages.ts'
import { testWebAppInFirefox } from './web-app-firefox.ts'
import { testWebApp } from './web-app-suite.ts'

const site = useSite()
testWebApp(site)
testWebAppInFirefox(site)
