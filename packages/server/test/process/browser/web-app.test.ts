import { testConversionInBrowser } from './in-browser-suite.ts'
import { useSite } from './pages.ts'
import { testWebAppInFirefox } from './web-app-firefox.ts'
import { testWebApp } from './web-app-suite.ts'

const site = useSite()
testWebApp(site)
testConversionInBrowser(site)
testWebAppInFirefox(site)
