# Short scenarios of our own in the words of Gotenberg's, with the files that gotenberg.test.ts writes.
Feature: documents, pages and PDFs

  Scenario: a text and a table become two PDFs in an archive
    When I make a "POST" request to Gotenberg at the "/forms/libreoffice/convert" endpoint with the following form data and header(s):
      | files                     | testdata/letter.txt | file   |
      | files                     | testdata/table.csv  | file   |
      | Gotenberg-Output-Filename | both                | header |
    Then the response status code should be 200
    Then the response header "Content-Type" should be "application/zip"
    Then there should be the following file(s) in the response:
      | both.zip       |
      | letter.txt.pdf |
      | table.csv.pdf  |
    Then the "letter.txt.pdf" PDF should have the following content at page 1:
      """
      Dear reader
      """

  Scenario: a page with a picture, a header and two pages, then split, merged, marked and locked
    When I make a "POST" request to Gotenberg at the "/forms/chromium/convert/html" endpoint with the following form data and header(s):
      | files                     | testdata/index.html  | file   |
      | files                     | testdata/header.html | file   |
      | Gotenberg-Output-Filename | page                 | header |
    Then the response status code should be 200
    Then the "page.pdf" PDF should have 2 page(s)
    Then the "page.pdf" PDF should have the following content at page 2:
      """
      Running head
      """
    When I make a "POST" request to Gotenberg at the "/forms/pdfengines/split" endpoint with the following form data and header(s):
      | files     | teststore/page.pdf | file  |
      | splitMode | intervals          | field |
      | splitSpan | 1                  | field |
    Then the response status code should be 200
    Then there should be 2 PDF(s) in the response
    When I make a "POST" request to Gotenberg at the "/forms/pdfengines/merge" endpoint with the following form data and header(s):
      | files                     | teststore/page_0.pdf                 | file   |
      | files                     | teststore/page_1.pdf                 | file   |
      | bookmarks                 | [{"title":"Start","page":1}]         | field  |
      | metadata                  | {"Title":"Größe","Keywords":["a"]}   | field  |
      | stampSource               | text                                 | field  |
      | stampExpression           | COPY                                 | field  |
      | stampOptions              | {"rotation":"0"}                     | field  |
      | Gotenberg-Output-Filename | merged                               | header |
    Then the response status code should be 200
    Then the "merged.pdf" PDF should have 2 page(s)
    Then the "merged.pdf" PDF should have the following content at page 2:
      """
      COPY
      """
    Then the "merged.pdf" PDF should have a document outline
    When I make a "POST" request to Gotenberg at the "/forms/pdfengines/metadata/read" endpoint with the following form data and header(s):
      | files | teststore/merged.pdf | file |
    Then the response body should match JSON:
      """
      { "merged.pdf": { "Title": "Größe" } }
      """
    When I make a "POST" request to Gotenberg at the "/forms/pdfengines/encrypt" endpoint with the following form data and header(s):
      | files        | teststore/merged.pdf | file  |
      | userPassword | secret               | field |
    Then the response status code should be 200
    Then the response PDF(s) should be encrypted

  Scenario: what Kiln does not do is refused
    When I make a "POST" request to Gotenberg at the "/forms/chromium/convert/url" endpoint with the following form data and header(s):
      | url | https://example.com | field |
    Then the response status code should be 403
    When I make a "POST" request to Gotenberg at the "/forms/chromium/convert/html" endpoint with the following form data and header(s):
      | files             | testdata/index.html | file  |
      | waitForExpression | ready               | field |
    Then the response status code should be 400
    Then the response body should contain string:
      """
      does not run scripts
      """
    When I make a "POST" request to Gotenberg at the "/forms/libreoffice/convert" endpoint with the following form data and header(s):
      | downloadFrom | [{"url":"http://127.0.0.1/a.docx"}] | field |
    Then the response status code should be 400
