-- Tables of Markdown have no merged cells, and pandoc's writer fills the places that they cover with empty ones. A table
-- with merged cells is written as HTML.

local function isMerged(cell) return cell.row_span > 1 or cell.col_span > 1 end

local function hasMergedCells(rows)
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      if isMerged(cell) then return true end
    end
  end
  return false
end

local function isWithMergedCells(table)
  if hasMergedCells(table.head.rows) or hasMergedCells(table.foot.rows) then return true end
  for _, body in ipairs(table.bodies) do
    if hasMergedCells(body.head) or hasMergedCells(body.body) then return true end
  end
  return false
end

-- What was escaped for Markdown, and formulas, which its readers find in HTML as well.
local forHtml = {
  RawInline = function(raw)
    if raw.format == 'markdown' then return pandoc.Str((raw.text:gsub('^\\', ''):gsub('\\([.)])$', '%1'))) end
  end,
  Math = function(math)
    local mark = math.mathtype == 'DisplayMath' and '$$' or '$'
    return pandoc.Str(mark .. math.text .. mark)
  end,
}

return function(table)
  if not isWithMergedCells(table) then return nil end
  local html = pandoc.write(pandoc.Pandoc { pandoc.walk_block(table, forHtml) }, 'html')
  html = html:gsub(' class="odd"', ''):gsub(' class="even"', ''):gsub(' class="header"', '')
  -- A blank line would end the HTML.
  return pandoc.RawBlock('html', (html:gsub('\n[ \t]*\n', '\n&#10;')))
end
