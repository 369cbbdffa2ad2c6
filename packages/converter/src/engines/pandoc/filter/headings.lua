-- Headings get their numbers, and the table of contents is made of them.

local attributes = require 'attributes'
local settings = require 'settings'

local counts = {}

-- Headings come in the order of the document.
local function numbered(header)
  if header.classes:includes('unnumbered') then return header end
  counts[header.level] = (counts[header.level] or 0) + 1
  for level = header.level + 1, 6 do counts[level] = nil end
  local parts = {}
  for level = 1, header.level do parts[level] = counts[level] or 0 end
  header.content:insert(1, pandoc.Space())
  header.content:insert(1, pandoc.Str(table.concat(parts, '.')))
  return header
end

-- The table of contents of an OpenDocument text. Pandoc's own stays empty until it is updated; this one has
-- its entries, as links, and can be updated too, which adds the numbers of the pages.
local contentsDepth = 3
local contents = {}

local function escaped(text)
  return (text:gsub('[&<>"]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }))
end

local function noteForContents(header)
  if header.level > contentsDepth then return end
  contents[#contents + 1] = string.format(
    '<text:p text:style-name="Contents_20_%d"><text:a xlink:type="simple" xlink:href="#%s">%s</text:a></text:p>',
    header.level, escaped(header.identifier), escaped(pandoc.utils.stringify(header)))
end

local function withContents(document)
  local templates = {}
  for level = 1, contentsDepth do
    templates[level] = string.format(
      '<text:table-of-content-entry-template text:outline-level="%d" text:style-name="Contents_20_%d">'
        .. '<text:index-entry-link-start/><text:index-entry-text/><text:index-entry-tab-stop style:type="right"'
        .. ' style:leader-char="."/><text:index-entry-page-number/><text:index-entry-link-end/>'
        .. '</text:table-of-content-entry-template>', level, level)
  end
  document.blocks:insert(1, pandoc.RawBlock('opendocument',
    '<text:table-of-content text:name="Contents"><text:table-of-content-source text:outline-level="'
      .. contentsDepth .. '">' .. table.concat(templates) .. '</text:table-of-content-source><text:index-body>'
      .. table.concat(contents) .. '</text:index-body></text:table-of-content>'))
  return document
end

local first

local function safeHeader(header)
  first = first or pandoc.utils.stringify(header)
  local safe = attributes.safeAttributes(header)
  local written = settings.numbersSections and numbered(safe or header) or safe
  if settings.writesContents then noteForContents(written or header) end
  return written
end

return { safeHeader = safeHeader, withContents = withContents, first = function() return first end }
