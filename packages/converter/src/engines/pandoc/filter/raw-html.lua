-- HTML within Markdown becomes elements of the document, for formats that do not hold HTML.
--
-- A table, a heading or a link of HTML arrives as single tags with Markdown between them. All tags of a list are read
-- again as one piece of HTML, in which a placeholder represents each of the elements between the tags; then the elements
-- replace their placeholders. If the reader dropped one, they stay as they were, and the tags are removed later. Blocks
-- are read in groups, from an opening tag to its closing tag.

local markup = require 'markup'
local counts = require 'counts'
local withoutSpans = require 'spans'
local imageFromTag = require('raw').imageFromTag

local prefix = 'kilnPlaceholder'
local waiting = {}

local function placeholder(tag, elements)
  waiting[#waiting + 1] = elements
  return string.format('<%s id="%s%d"></%s>', tag, prefix, #waiting, tag)
end

-- Each placeholder is replaced once, so that none that the user wrote repeats an element.
local function take(element)
  local number = tonumber(element.identifier:match('^' .. prefix .. '(%d+)$'))
  local elements = number and waiting[number]
  if elements then waiting[number] = false end
  return elements or nil
end

local function isHtml(element)
  return (element.t == 'RawInline' or element.t == 'RawBlock') and element.format:lower():match('^html') ~= nil
end

-- Raw.lua replaces lone images and line breaks, and removes comments.
local function needsReading(element)
  return isHtml(element) and element.text:match '^%s*</?%a' and not element.text:match '^%s*<[bB][rR]%s*/?>%s*$'
    and not imageFromTag(element.text)
end

local function htmlOf(raw)
  local html = withoutSpans(raw.text, '<!--', '-->'):gsub('<[iI][mM][gG][%s/][^<>]*>', function(tag)
    return placeholder('span', { imageFromTag(tag) })
  end)
  local safe = markup.safeHtml(html)
  if not safe:find '%S' and html:match '^%s*<%a' then counts.markup = counts.markup + 1 end
  -- The reader takes a summary for part of the first paragraph behind it.
  return (safe:gsub('<(/?)summary[^<>]*>', '<%1p>'))
end

-- The reader of HTML takes nothing but text from code, and makes identifiers of the text of headings.
local texts = {
  Str = function(element) return (element.text:gsub('[&<>]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;' })) end,
  Space = function() return ' ' end,
  SoftBreak = function() return '\n' end,
}

local function htmlOfInlines(inlines)
  local pieces = {}
  for _, element in ipairs(inlines) do
    pieces[#pieces + 1] = isHtml(element) and htmlOf(element)
      or texts[element.t] and texts[element.t](element)
      or placeholder('span', { element })
  end
  return table.concat(pieces)
end

local function htmlOfBlocks(blocks)
  local pieces = {}
  for _, element in ipairs(blocks) do
    pieces[#pieces + 1] = isHtml(element) and htmlOf(element)
      or element.t == 'Plain' and htmlOfInlines(element.content)
      or placeholder('div', { element })
  end
  return table.concat(pieces, '\n')
end

-- The blocks of a piece of HTML; nil if an element was dropped.
local function read(elements, toHtml)
  local before, counted = #waiting, counts.markup
  local html = markup.balanced(toHtml(elements))
  local blocks = pandoc.Div(pandoc.read(html, 'html').blocks):walk({ Span = take, Div = take }).content
  for number = before + 1, #waiting do
    if waiting[number] then
      counts.markup = counted
      return nil
    end
  end
  return blocks
end

local function readInlines(inlines)
  local blocks = inlines:find_if(needsReading) and read(inlines, htmlOfInlines)
  return blocks and pandoc.utils.blocks_to_inlines(blocks, { pandoc.Space() }) or nil
end

local function openedBy(html)
  local open = 0
  for slash, name in html:gmatch '<(/?)(%a%w*)' do
    if not markup.unpaired[name:lower()] then open = open + (slash == '' and 1 or -1) end
  end
  return open
end

local function readBlocks(blocks)
  if not blocks:find_if(needsReading) then return nil end
  local result, group, open = pandoc.List(), pandoc.List(), 0
  local function endGroup()
    result:extend(read(group, htmlOfBlocks) or group)
    group, open = pandoc.List(), 0
  end
  for _, block in ipairs(blocks) do
    if #group > 0 or needsReading(block) then
      group:insert(block)
      if isHtml(block) then open = open + openedBy(block.text) end
      if open <= 0 then endGroup() end
    else
      result:insert(block)
    end
  end
  endGroup()
  return result
end

local found = false
local function find(raw) found = found or needsReading(raw) end

local function readAll(document)
  if not found then return nil end
  return document:walk { Inlines = readInlines, Blocks = readBlocks }
end

return { { RawInline = find, RawBlock = find }, { Pandoc = readAll } }
