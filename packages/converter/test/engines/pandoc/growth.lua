-- How much longer sixteen times as much of the same markup takes. Processor time of this process, the least of three tries;
-- small amounts are repeated until they can be measured. KILN_FILTER is the folder of the filter.

package.path = os.getenv('KILN_FILTER') .. '/?.lua'

local attributes = require 'attributes'
local markup = require 'markup'
local safeImage = require 'images'

local function safeDiv(style)
  return attributes.safeAttributes(pandoc.Div({}, pandoc.Attr('', {}, { { 'style', style } })))
end

local function safeDivOfMany(list)
  local many = {}
  for name in list:gmatch('%S+') do many[#many + 1] = { name, '1' } end
  return attributes.safeAttributes(pandoc.Div({}, pandoc.Attr('', {}, many)))
end

local function linkTo(address) return safeImage(pandoc.Image({}, address)) end

local function numbered(pattern)
  return function(count)
    local pieces = {}
    for index = 1, count do pieces[index] = pattern:format(index) end
    return table.concat(pieces)
  end
end

local function times(piece) return function(count) return piece:rep(count) end end

-- Name, what works on it, what makes so many pieces of it, how many.
local kinds = {
  { 'comments', markup.safeHtml, times '<!--', 2000 },
  { 'declarations', markup.safeHtml, times '<!', 2000 },
  { 'instructions', markup.safeHtml, times '<?', 2000 },
  { 'openings', markup.safeHtml, times '<', 2000 },
  { 'a long name', markup.safeHtml, function(count) return '<' .. ('a'):rep(count) end, 2000 },
  { 'attributes', markup.safeHtml, function(count) return '<p ' .. ('a=1 '):rep(count) .. '>' end, 1000 },
  { 'a quote', markup.safeHtml, function(count) return '<p ' .. ('a="'):rep(count) .. '>' end, 1000 },
  { 'scripts', markup.safeHtml, times '<script></script>', 500 },
  { 'ends of scripts', markup.safeHtml, function(count) return '<script>' .. ('</script '):rep(count) end, 1000 },
  { 'unclosed tags', markup.balanced, times '<ul><li><b>', 500 },
  { 'crossing tags', markup.balanced, times '<i><b></i></b></p>', 500 },
  { 'comments in a style', safeDiv, function(count) return 'url' .. ('/*'):rep(count) end, 2000 },
  { 'attributes that load', safeDivOfMany, numbered ' on%d', 100 },
  { 'an address', linkTo, function(count) return 'http://' .. ('a'):rep(count) .. '/b' end, 500 },
  { 'slashes', linkTo, function(count) return 'http://a' .. ('/'):rep(count) .. 'b' end, 500 },
}

local function seconds(work, text, repeats)
  local fastest = math.huge
  for _ = 1, 3 do
    collectgarbage()
    local start = os.clock()
    for _ = 1, repeats do work(text) end
    fastest = math.min(fastest, os.clock() - start)
  end
  return fastest
end

for _, kind in ipairs(kinds) do
  local name, work, make, count = table.unpack(kind)
  local small, repeats = make(count), 1
  while seconds(work, small, repeats) < 0.003 do repeats = repeats * 2 end
  print(('%s: %.1f'):format(name, seconds(work, make(16 * count), repeats) / seconds(work, small, repeats)))
end

return {}
