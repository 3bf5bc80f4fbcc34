import { describe, expect, it } from 'vitest'
import { WITHOUT_BROWSER } from '../browser.js'
import { openPage, sharedDashboard } from '../dashboard.js'

/** The dashboard once, every page, as a walk from link to link. */

describe('klens serve', () => {
  const dashboard = sharedDashboard('userrl-intentiongym', 'grpo-addition/sick-length-bonus')

  it('shows every page with its figures, and nothing goes wrong in the browser', async context => {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const { page, complaints } = await openPage(browser, serving.url)
    const content = page.locator('#content')
    await content.getByText('no-kl', { exact: true }).first().waitFor()

    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByText('sick-length-bonus/seed0').waitFor()
    await page.getByText('kl-runaway').waitFor()
    await page.getByLabel('Pick no-kl', { exact: true }).check()
    await page.getByLabel('Pick kl', { exact: true }).check()
    await page.getByRole('link', { name: 'Compare 2' }).click()

    await page.getByText('not significantly different', { exact: false }).first().waitFor()
    await content.getByText('−0.031').first().waitFor()
    await content.getByRole('img', { name: /kl minus no-kl/ }).waitFor()

    await page.goto(`${serving.url}/runs?q=length-bonus`)
    await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).click()
    await content.getByText('KL to the reference is above 1', { exact: false }).first().waitFor()
    await content.getByRole('img', { name: /^Reward and score/ }).waitFor()
    await content.getByText('Use step 0').waitFor()

    await page.goto(`${serving.url}/report?run=no-kl&run=kl`)
    await content.getByRole('heading', { name: 'kl vs no-kl' }).waitFor()

    await page.goto(`${serving.url}/audit`)
    await page
      .getByLabel('or paste it')
      .fill('| step | a | b |\n|---|---|---|\n| 5 | 1.0 | 2.0 |\n\nThe mean of a and b is 9.9 at step 5.\n')
    await page.getByRole('button', { name: 'Check' }).click()
    await content.getByText('claims checked', { exact: false }).waitFor()

    await page.goto(`${serving.url}/samples?side=no-kl`)
    await page.getByRole('alert').waitFor()
    await page.goto(`${serving.url}/train`)
    await page.getByText('kl.loss.coef').waitFor()
    // The samples page was asked for something that is not there, and said so.
    expect(complaints.filter(complaint => !/status of 4/.test(complaint))).toEqual([])
  })
})
