-- Languages of code blocks by the names that the highlighter knows. Under any other name, pandoc loads the definitions
-- of all its languages, which takes 0.3 s of CPU, to look for a file name extension.

local settings = require 'settings'
local words = require 'words'

local highlights = words('html epub docx latex')[settings.target]

-- The given name stays as a second class.
local names = {
  cc = 'cpp', clj = 'clojure', docker = 'dockerfile', ex = 'elixir', golang = 'go', h = 'c', hpp = 'cpp', hs = 'haskell',
  js = 'javascript', jsonc = 'javascript', jsx = 'javascriptreact', kt = 'kotlin', make = 'makefile', md = 'markdown',
  mjs = 'javascript', patch = 'diff', pl = 'perl', proto = 'protobuf', ps1 = 'powershell', py = 'python',
  python3 = 'python', rb = 'ruby', rs = 'rust', sh = 'bash', shell = 'bash', svg = 'xml', tex = 'latex',
  ts = 'typescript', tsx = 'typescript', xhtml = 'html', yml = 'yaml',
}
local notHighlighted = words [[
  console csv dotenv env http log mermaid nginx none output plain plaintext shell-session svelte terraform text vue
]]

-- In HTML as pandoc writes a block whose language it does not know; elsewhere the class is not written.
local function withoutLanguage(block)
  if settings.target ~= 'html' and settings.target ~= 'epub' then
    block.classes = {}
    return block
  end
  local text = block.text:gsub('[&<>"]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' })
  return pandoc.RawBlock('html', '<pre class="' .. block.classes[1] .. '"><code>' .. text .. '</code></pre>')
end

return function(block)
  local given = block.classes[1]
  if not highlights or not given then return nil end
  given = given:lower()
  if names[given] then
    local classes = block.classes
    table.insert(classes, 1, names[given])
    block.classes = classes
    return block
  end
  local hasOnlyName = #block.classes == 1 and block.identifier == '' and #block.attributes == 0
  return notHighlighted[given] and hasOnlyName and withoutLanguage(block) or nil
end
