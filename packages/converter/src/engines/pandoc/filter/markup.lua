-- Raw HTML keeps the tags and attributes of a list. Every step continues where the previous one ended, so that markup which
-- never ends takes no longer than markup that does.

local attributes = require 'attributes'
local withoutSpans = require 'spans'
local words = require 'words'

local keptTags = words [[
  a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd
  del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav
  ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead
  time tr tt u ul var wbr
]]
-- What stands between these is no text for a reader.
local emptiedTags = words 'script style template noscript iframe object embed svg math title head textarea select'
local keptAttributes = words [[
  id class title lang dir align valign width height colspan rowspan span start type open name datetime href
  role scope border cellpadding cellspacing reversed value
]]

local function attributesOf(text)
  local list, position = {}, 1
  while position <= #text do
    position = text:match('^[%s/]*()', position)
    local name, afterName = text:match('^([^%s=/]+)()', position)
    if not name then break end
    local value, equals = '', text:match('^%s*=%s*()', afterName)
    if equals then
      local quote = text:match('^["\']', equals)
      value = text:match(quote and '^[^' .. quote .. ']*' or '^%S*', quote and equals + 1 or equals)
      position = equals + #value + (quote and 2 or 0)
    else
      position = afterName
    end
    list[#list + 1] = { name = name:lower(), value = value }
  end
  return list
end

local function safeTag(closing, name, rest)
  if not keptTags[name] then return '' end
  if closing == '/' then return '</' .. name .. '>' end
  local kept = {}
  for _, attribute in ipairs(attributesOf(rest)) do
    local value = attribute.value:gsub('[<>"]', { ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' })
    -- An entity may hide a letter of "javascript:"; none but &amp; belongs before the scheme's colon.
    local isSafe = attribute.name ~= 'href' or (attributes.isSafeTarget(value) and not value:gsub('&amp;', ''):find('&', 1, true))
    if keptAttributes[attribute.name] and isSafe then
      kept[#kept + 1] = string.format(' %s="%s"', attribute.name, value)
    end
  end
  return '<' .. name .. table.concat(kept) .. '>'
end

-- Processing instructions and remaining declarations. An unterminated one stays.
local function withoutDeclarations(text)
  local pieces, position = {}, 1
  while true do
    local from = text:find('<[!?]', position)
    local to = from and text:find('>', from, true)
    pieces[#pieces + 1] = text:sub(position, to and from - 1)
    if not to then return table.concat(pieces) end
    position = to + 1
  end
end

-- Walks the text tag by tag. Whatever is not a whole tag is text, where a lone "<" is written as an entity.
local function safeHtml(untrusted)
  local text = withoutDeclarations(withoutSpans(untrusted, '<!--', '-->'))
  local lower = text:lower()
  local pieces, position = {}, 1
  while true do
    local before, from = text:match('^([^<]*)()', position)
    pieces[#pieces + 1] = before
    if from > #text then return table.concat(pieces) end
    local inside, to = text:match('^<([^<>]*)>()', from)
    local closing, name, rest = (inside or ''):match('^(/?)(%a[%w:-]*)(.*)$')
    if not name then
      pieces[#pieces + 1] = '&lt;'
      position = from + 1
    elseif closing == '' and emptiedTags[name:lower()] then
      local _, ending = lower:find('</' .. name:lower() .. '%s*>', to)
      position = (ending or #text) + 1
    else
      pieces[#pieces + 1] = safeTag(closing, name:lower(), rest)
      position = to
    end
  end
end

-- Tags without an end, or whose end may be omitted.
local unpaired = words [[
  area base br caption col colgroup dd dt embed hr img input li link meta option source summary tbody td tfoot th thead
  tr wbr
]]

local deepest = 40

-- Without the tags that lack their counterpart or are nested too deeply: the reader of HTML takes exponential time for
-- lists that never end.
local function balanced(html)
  local pieces, position, open, places = {}, 1, {}, {}
  for from, slash, name, to in html:gmatch '()<(/?)(%a%w*)[^<>]*>()' do
    name = name:lower()
    pieces[#pieces + 1] = html:sub(position, from - 1)
    pieces[#pieces + 1] = html:sub(from, to - 1)
    position = to
    places[name] = places[name] or {}
    local last = places[name][#places[name]]
    if unpaired[name] then
      -- Stays.
    elseif slash == '' and #open < deepest then
      open[#open + 1] = { name = name, piece = #pieces }
      table.insert(places[name], #open)
    elseif slash == '/' and last then
      for index = #open, last, -1 do
        if index > last then pieces[open[index].piece] = '' end
        table.remove(places[open[index].name])
        open[index] = nil
      end
    else
      pieces[#pieces] = ''
    end
  end
  for _, tag in ipairs(open) do pieces[tag.piece] = '' end
  return table.concat(pieces) .. html:sub(position)
end

return { attributesOf = attributesOf, balanced = balanced, safeHtml = safeHtml, unpaired = unpaired }
