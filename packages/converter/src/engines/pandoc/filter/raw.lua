-- Raw text of the reader's own format: HTML becomes safe, TeX stays on its way to LaTeX, anything else goes. Within a line
-- of Markdown, what the reader takes for TeX is text, such as C:\Users.

local markup = require 'markup'
local withoutSpans = require 'spans'
local safeImage = require 'images'
local counts = require 'counts'
local settings = require 'settings'

local entities = { amp = '&', lt = '<', gt = '>', quot = '"', apos = "'" }

local function imageFromTag(text)
  local rest = text:match('^%s*<[iI][mM][gG]([%s/][^<>]*)>%s*$')
  if not rest then return nil end
  local found = {}
  for _, attribute in ipairs(markup.attributesOf(rest)) do
    found[attribute.name] = attribute.value:gsub('&(%a+);', entities)
  end
  local size = {}
  for _, side in ipairs { 'width', 'height' } do
    local length = (found[side] or ''):match('^%d+%%?$') or (found[side] or ''):match('^%d+px$')
    if length then size[side] = length end
  end
  local alt = found.alt and found.alt ~= '' and { pandoc.Str(found.alt) } or {}
  return pandoc.Image(alt, found.src or '', '', pandoc.Attr('', {}, size))
end

local function asText(text)
  local inlines = {}
  for word, gap in text:gmatch('(%S*)(%s*)') do
    if word ~= '' then table.insert(inlines, pandoc.Str(word)) end
    if gap ~= '' then table.insert(inlines, pandoc.Space()) end
  end
  return inlines
end

-- The tags, and between them the images: some dialects give an element of HTML as a whole.
local function safeInlines(untrusted)
  local html, inlines, position = withoutSpans(untrusted, '<!--', '-->'), pandoc.List(), 1
  local function addTags(to) inlines:insert(pandoc.RawInline('html', markup.safeHtml(html:sub(position, to)))) end
  for from, tag, to in html:gmatch '()(<[iI][mM][gG][%s/][^<>]*>)()' do
    addTags(from - 1)
    inlines:extend(pandoc.Inlines(safeImage(imageFromTag(tag))))
    position = to
  end
  addTags()
  return inlines
end

local function safeRaw(raw, make)
  local format = raw.format:lower()
  if format:match('^html') then
    if imageFromTag(raw.text) then return make(safeInlines(raw.text)) end
    if raw.text:lower():match('^%s*<br%s*/?>%s*$') then return make(pandoc.LineBreak()) end
    if settings.holdsHtml then return make(safeInlines(raw.text)) end
    -- Comments say nothing to a reader.
    if not raw.text:match('^%s*<!%-%-') then counts.markup = counts.markup + 1 end
    return {}
  end
  local texForLatex = settings.target == 'latex' and (format == 'tex' or format == 'latex')
  -- "latex" would be text that names its format itself.
  if format == 'tex' and not texForLatex and raw.t == 'RawInline' then return asText(raw.text) end
  if not texForLatex then counts.markup = counts.markup + 1 end
  return texForLatex and raw or {}
end

local function asInlines(inlines) return inlines end
local function asBlock(inlines) return pandoc.Plain(inlines) end

return {
  imageFromTag = imageFromTag,
  inline = function(raw) return safeRaw(raw, asInlines) end,
  block = function(raw) return safeRaw(raw, asBlock) end,
}
